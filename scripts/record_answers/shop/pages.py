"""HTML as shops serve it: a catalogue with scripts, styles and a data URI; a table for staff; a guide."""

import html
import json
from base64 import b64encode
from typing import Any

from .goods import orders, products
from .handbook import handbook
from .words import dice

_STYLE = "".join(
    f".c{n}{{margin:{n}px {n * 2}px;padding:{n}px;color:#{n * 4021:06x};display:flex}}" for n in range(90)
)


def picture(name: str, size: int) -> str:
    """So many bytes that nothing compresses, as base64."""
    return b64encode(dice(name).randbytes(size)).decode()


def catalogue(count: int) -> str:
    """A shelf page: navigation, filters, so many cards, footer."""
    shown = products()[: count * 2 : 2]
    state = json.dumps({"basket": [], "currency": "EUR", "skus": [each["sku"] for each in shown]})
    cards = "\n".join(_card(each) for each in shown)
    links = "".join(
        f'<li><a href="/shelf/{name}">{name.capitalize()}</a></li>'
        for name in ("kitchen", "table", "garden", "hall")
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>All goods | Harrow and Finch</title>
<style>{_STYLE}</style><script>window.__STATE__={state};</script></head>
<body><header class="c4">{_logo()}<nav><ul>{links}</ul></nav>
<form role="search"><input name="q" placeholder="Search"><button>Find</button></form></header>
<main><h1>All goods</h1><p>{count} of {len(products())} things, newest first. Free delivery above 79.00 euro.</p>
<section class="c9">
{cards}
</section></main>
<footer><p>Harrow and Finch, Quay 14. Customer service: +45 555 0142, weekdays 9 to 16.</p>
<a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer></body></html>
"""


def _logo() -> str:
    return f'<img alt="Harrow and Finch" src="data:image/png;base64,{picture("logo", 9000)}">'


def _card(each: dict[str, Any]) -> str:
    stock = f"{each['stock']} in stock" if each["stock"] else "sold out"
    return (
        f'<article class="c12 card" data-sku="{each["sku"]}"><a href="/goods/{each["sku"].lower()}">'
        f'<h3>{html.escape(each["name"])}</h3></a><p class="c7">{html.escape(each["description"])}</p>'
        f'<span class="price">{each["price"]:.2f} €</span> <span class="stock">{stock}</span> '
        f'<span class="stars" title="{each["rating"]} of 5">{each["rating"]}</span>'
        f'<button class="c3">Add to basket</button></article>'
    )


def staff_table(count: int) -> str:
    """Orders of the last weeks as a page for the staff."""
    rows = "\n".join(_row(each) for each in orders()[-count:])
    names = ("Order", "Placed", "Customer", "City", "Status", "Carrier", "Total")
    heads = f"<thead><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr></thead>"
    head = '<!DOCTYPE html><html lang="en"><head><title>Orders | Staff</title></head>'
    return f"""{head}<body><nav><a href="/staff">Staff</a>
<a href="/staff/returns">Returns</a></nav><h1>Orders</h1><button>Export</button><table>{heads}<tbody>
{rows}
</tbody></table><p>Page 1 of 7</p></body></html>
"""


def _row(each: dict[str, Any]) -> str:
    first = f'<td><a href="/staff/orders/{each["id"]}">{each["id"]}</a></td>'
    cells = [
        each["placed"],
        html.escape(each["customer"]),
        each["city"],
        each["status"],
        each["carrier"],
        f"{each['total']:.2f}",
    ]
    return f"<tr>{first}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def guide() -> str:
    """The handbook as a web page."""
    parts = [_block(block) for block in handbook().split("\n\n")]
    head = "<!DOCTYPE html><html><head><title>Handbook</title></head>"
    return f"{head}<body><article>{''.join(parts)}</article></body></html>"


def _block(block: str) -> str:
    level = len(block) - len(block.lstrip("#"))
    if level:
        return f"<h{level}>{html.escape(block[level:].strip())}</h{level}>\n"
    return f"<p>{html.escape(block)}</p>\n"
