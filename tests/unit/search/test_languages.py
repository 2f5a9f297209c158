"""Requests in other languages → English words, and the English tools that they find."""

import tomllib

import pytest
from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth.bench.corpus import builtin_golden
from toolbooth.catalog import Tool
from toolbooth.search import SearchEngine
from toolbooth.search.languages import FOLDER, in_english
from toolbooth.search.vocabulary import known_words

SPACED = ("de", "es", "fr", "it", "nl", "pl", "pt", "ru")
UNSPACED = ("ja", "ko", "zh")
LANGUAGES = (*SPACED, *UNSPACED)
SMALL_WORDS = tomllib.loads((FOLDER / "function_words.toml").read_text("utf-8"))
# The first is answered by mail.send_email, the second by weather.get_forecast, the third by calendar.create_event.
REQUESTS = {
    "de": (
        "Schicke Anna eine E-Mail",
        "Wie wird das Wetter morgen in Berlin?",
        "Trage das in den Teamkalender ein",
    ),
    "es": (
        "Envía un correo a Marta",
        "¿Cuál es el pronóstico del tiempo en Madrid?",
        "Añade una cita al calendario",
    ),
    "fr": (
        "Envoie un e-mail à Marie",
        "Quelles sont les prévisions météo pour Lyon ?",
        "Ajoute ça au calendrier",
    ),
    "it": (
        "Invia una e-mail a Marco",
        "Quali sono le previsioni meteo per Roma?",
        "Aggiungi un appuntamento al calendario",
    ),
    "ja": ("アンナにメールを送信して", "明日の東京の天気予報を教えて", "カレンダーに予定を追加"),
    "ko": ("안나에게 이메일을 보내줘", "내일 서울 날씨 예보 알려줘", "캘린더에 약속을 추가해줘"),
    "nl": (
        "Stuur een e-mail naar Jan",
        "Wat is de weersverwachting voor Utrecht?",
        "Zet een afspraak in mijn agenda",
    ),
    "pl": ("Wyślij e-mail do Anny", "Jaka jest prognoza pogody na jutro?", "Dodaj wizytę do kalendarza"),
    "pt": (
        "Envie uma mensagem de correio para a Ana",
        "Qual é a previsão do tempo para Lisboa amanhã?",
        "Adicione um compromisso ao calendário",
    ),
    "ru": ("Отправь письмо Анне", "Какой прогноз погоды на завтра?", "Добавь встречу в календарь"),
    "zh": ("给安娜发送邮件", "明天北京的天气预报", "在日历中添加约会"),
}
ANSWERS = ("mail.send_email", "weather.get_forecast", "calendar.create_event")


def rows(language: str) -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / f"{language}.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Lösche die Datei aus meinem Ordner", "delete file folder"),
        ("Supprime le fichier de mon dossier", "delete file folder"),
        ("Borra el archivo de mi carpeta", "delete file folder"),
        ("Apague o arquivo da minha pasta", "delete file folder"),
        ("Elimina i messaggi dalla mia cartella", "delete message folder"),
        ("Verwijder het bestand uit mijn mappen", "delete file folder"),
        ("Usuń plik z mojego folderu", "delete file folder"),
        ("Удали файл из моей папки", "delete file folder"),
        ("删除文件夹里的邮件", "delete folder email"),
        ("ファイルを削除してください", "file delete"),
        ("파일을 삭제해줘", "file delete"),
    ],
)
def test_the_words_of_a_request_become_english_in_order(text: str, english: str) -> None:
    assert in_english(text) == english


@pytest.mark.parametrize(
    "text",
    [
        *("Wetter", "Datei", "fichier", "archivos", "погода", "天气", "天気", "날씨", "LÖSCHEN", "loschen"),
        "lo\u0308schen",
    ],
)
def test_a_single_word_is_enough_in_any_spelling(text: str) -> None:
    assert in_english(text) in ("weather", "file", "delete")


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Zeige den Teamkalender", "show team calendar"),
        ("Zeige die Kundenrechnungen", "show customer invoice"),
        ("Öffne den Projektordner von Anna", "open project folder"),
        ("Öffne die Ortskarte", "open location map"),
        ("Zeige die Lieblingsdatei", "show file"),
        ("Toon de klantfacturen van deze maand", "show customer invoice month"),
        ("Waar staat het projectbestand?", "project file"),
    ],
)
def test_a_compound_is_its_known_parts(text: str, english: str) -> None:
    assert in_english(text) == english


def test_a_language_without_compounds_has_none() -> None:
    assert in_english("Montre-moi le xyzfichier de Marie") == in_english("Montre-moi le xyz de Marie")


@pytest.mark.parametrize(
    ("language", "word", "text", "english"),
    [
        ("de", "ordners", "Zeige den Inhalt des Ordners", "folder"),
        ("de", "projekten", "Suche nach allen Projekten", "project"),
        ("es", "facturación", "Muestra los datos de facturación", "invoice"),
        ("pl", "kalendarze", "Pokaż moje kalendarze", "calendar"),
        ("ru", "календарями", "Покажи папку с календарями", "calendar"),
        ("ru", "файлами", "Покажи папку с файлами", "file"),
    ],
)
def test_an_inflected_word_is_found_by_its_stem(language: str, word: str, text: str, english: str) -> None:
    assert word not in {form for _, forms in rows(language) for form in forms.split()}
    assert english in in_english(text).split()


def test_the_longest_word_counts_in_a_script_without_blanks() -> None:
    assert in_english("文件夹") == "folder"
    assert in_english("文件") == "file"


def test_each_english_word_is_listed_once() -> None:
    assert in_english("Lösche die Datei und lösche die Dateien") == "delete file"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "delete a file",
        "what is the weather in Berlin tomorrow",
        "show me the issues in the kubernetes cluster",
        "deploy nginx to k8s with kubectl",
        "send an email to José García about the café",
        "show me the user’s “open” orders — please",
        "book a table at Café de la Paix in Paris",
        "send a message to Müller in der Hauptstraße",
        "translate 'guten Morgen' to English",
        "summarize my résumé",
        "agenda – video, film",
        "qzxv wkjhq",
        "🙂 1234 ???",
    ],
)
def test_an_english_request_stays_as_it_is(text: str) -> None:
    assert in_english(text) == ""


def test_no_question_of_the_built_in_exam_is_taken_for_another_language() -> None:
    taken = {one.query: in_english(one.query) for one in builtin_golden().questions}
    del taken["send an e-mail message"]  # see below
    assert {query for query, english in taken.items() if english} == set()


def test_an_e_mail_is_english() -> None:
    assert in_english("send an e-mail message") == ""


def test_every_language_has_its_words_and_its_small_words() -> None:
    files = {entry.name for entry in FOLDER.iterdir()}
    assert files == {"function_words.toml", *(f"{language}.tsv" for language in LANGUAGES)}
    assert set(SMALL_WORDS) == set(SPACED)
    assert all(words.split() for words in SMALL_WORDS.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_is_an_english_word_of_the_table_and_its_forms(language: str) -> None:
    for row in rows(language):
        assert len(row) == 2, row
        assert row[0] in known_words(), row
        assert row[1].split(), row
    english = [row[0] for row in rows(language)]
    assert len(english) == len(set(english))


@pytest.mark.parametrize("language", SPACED)
def test_every_form_is_found_among_small_words_of_its_language(language: str) -> None:
    small = SMALL_WORDS[language]
    lost = {
        form
        for english, forms in rows(language)
        for form in forms.split()
        if english not in in_english(f"{small} {form}").split()
    }
    assert lost == set()


@pytest.mark.parametrize("language", UNSPACED)
def test_every_form_is_found_in_a_script_without_blanks(language: str) -> None:
    lost = {form for _, forms in rows(language) for form in forms.split() if not in_english(form)}
    assert lost == set()


@pytest.mark.promise("search:languages")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_finds_the_english_tool(either: SearchEngine, language: str) -> None:
    for request, answer in zip(REQUESTS[language], ANSWERS, strict=True):
        assert either.search(request).hits[0].tool.id == answer, request


def test_a_tool_described_in_chinese_is_found_by_an_english_request(either: SearchEngine) -> None:
    chinese = (
        Tool("amap", "maps_t1", "根据城市名称查询天气预报"),
        Tool("post", "run", "发送电子邮件给指定的收件人"),
        Tool("bing", "query", "使用必应搜索指定的关键词，并返回搜索结果列表"),
    )
    others = tuple(each for each in TOOLS if each.server in ("github", "files", "postgresql"))
    engine = SearchEngine.of(catalog((*others, *chinese)), either.embedder)
    for request, tool in zip(("weather forecast of a city", "send an email"), chinese, strict=False):
        assert engine.search(request).hits[0].tool is tool
