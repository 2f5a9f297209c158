"""The one model of JSON Schema: dialects, pointers, documents, nodes with resolved references, walker and writer.

Readers that change nothing look at a `SchemaDocument` or `walk` the schema; readers that give back another schema
take it apart with a `NodeReader` and write the nodes again."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.schema.dialects import (
        ANNOTATIONS as ANNOTATIONS,
        ASSERTED_SINCE_2019 as ASSERTED_SINCE_2019,
        ASSERTIONS as ASSERTIONS,
        CONDITIONS as CONDITIONS,
        CONTENT as CONTENT,
        DEFINITIONS as DEFINITIONS,
        DYNAMIC_REFERENCES as DYNAMIC_REFERENCES,
        IDENTITY as IDENTITY,
        IN_PLACE as IN_PLACE,
        PATTERNS_OF_ANY_TEXT as PATTERNS_OF_ANY_TEXT,
        REFERENCES as REFERENCES,
        SUBSCHEMAS as SUBSCHEMAS,
        SUBSCHEMAS_IN_ANY as SUBSCHEMAS_IN_ANY,
        TYPES as TYPES,
        UNEVALUATED as UNEVALUATED,
        Dialect as Dialect,
        Holds as Holds,
        dialect_of as dialect_of,
        nearest_dialect as nearest_dialect,
    )
    from toolbooth.schema.nodes import (
        Node as Node,
        NodeReader as NodeReader,
        Ref as Ref,
        SchemaTooDeep as SchemaTooDeep,
        nodes_in as nodes_in,
        reachable as reachable,
        walk_nodes as walk_nodes,
    )
    from toolbooth.schema.pointers import (
        Path as Path,
        escaped as escaped,
        path_of as path_of,
        pointer as pointer,
        pointer_parts as pointer_parts,
        reference as reference,
        resolve_local as resolve_local,
        resolve_path as resolve_path,
        resolved as resolved,
        unescaped as unescaped,
    )
    from toolbooth.schema.reading import (
        SchemaDocument as SchemaDocument,
        Subschema as Subschema,
        listed as listed,
        mapping as mapping,
        properties_of as properties_of,
        required_by as required_by,
        types_of as types_of,
        walk as walk,
    )
    from toolbooth.schema.writer import (
        TargetGone as TargetGone,
        write_in_place as write_in_place,
        write_with_definitions as write_with_definitions,
    )
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "dialects": "ANNOTATIONS ASSERTED_SINCE_2019 ASSERTIONS CONDITIONS CONTENT DEFINITIONS "
            "DYNAMIC_REFERENCES Dialect Holds IDENTITY IN_PLACE PATTERNS_OF_ANY_TEXT "
            "REFERENCES SUBSCHEMAS SUBSCHEMAS_IN_ANY TYPES UNEVALUATED dialect_of "
            "nearest_dialect",
            "reading": "SchemaDocument Subschema listed mapping properties_of required_by types_of walk",
            "nodes": "Node NodeReader Ref SchemaTooDeep nodes_in reachable walk_nodes",
            "pointers": "Path escaped path_of pointer pointer_parts reference resolve_local resolve_path "
            "resolved unescaped",
            "writer": "TargetGone write_in_place write_with_definitions",
        },
    )
