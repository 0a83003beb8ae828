"""Pages for the examples of docs/reference/answers.md."""

from typing import Any

from tests.page.pages import Page

SHOP = "http://127.0.0.1:8000"


def add_row(page: Page, parent: int, *cells: str | tuple[str, str]) -> None:
    """Add a row; a cell is a text, or kind and name of a control."""
    row = page.part("row", parent)
    for column, cell in enumerate(cells):
        if isinstance(cell, tuple):
            kind, name = cell
            index = getattr(page, kind)(name, parent=row, cell=column)
            page.text(name, index, cell=column)
        elif cell:
            page.text(cell, row, cell=column)


def book_form(
    *,
    value: str = "",
    stock: str = "1",
    message: str = "Fill in all fields.",
    is_saved: bool = False,
) -> Page:
    page = Page(url=f"{SHOP}/library/book/add/", title="Add book | Library")
    navigation = page.landmark("navigation", "Main")
    for name in ("Home", "Library"):
        page.text(name, page.link(name, f"{SHOP}/{name.lower()}/", parent=navigation))
    page.heading("Add book", 1)
    page.text("Book saved." if is_saved else message)
    form = page.add("f", "form", nid=50)
    own: dict[str, Any] = {"parent": form, "form": 50}
    page.field("Title", required=True, nid=51, **own, **({"value": value} if value else {}))
    options = ["—", "Ann Lee", "Bo Marsh"]
    page.add("i", "combobox", "Author", tag="select", options=options, value="—", nid=52, **own)
    group = page.add("g", "group", "Binding", parent=form, nid=53)
    for number, name in enumerate(("Cloth", "Paper")):
        native: dict[str, Any] = {
            "tag": "input",
            "type": "radio",
            "checked": name == "Paper",
            "form": 50,
        }
        page.add("i", "radio", name, parent=group, nid=54 + number, **native)
    page.button("Save", submits=1, nid=56, **own)
    locked = {} if is_saved else {"disabled": 1}
    page.button("Save and add another", nid=57, **own, **locked)
    books = page.add("g", "table", "Books", nid=58)
    add_row(page, books, "Title", "Author", "Stock")
    add_row(page, books, "Silent Tide", ("link", "Ann Lee"), "4", ("button", "Order"))
    add_row(page, books, "Low Water", ("link", "Bo Marsh"), stock)
    if is_saved:
        add_row(page, books, "Kindred", ("link", "O. Butler"), "4", ("button", "Order it"))
    return page


def add_calendar(page: Page) -> None:
    """Open a dialog with a button for each day."""
    dialog = page.add("g", "dialog", "Choose a date", nid=100)
    for day in range(1, 43):
        page.button(str(day), parent=dialog, nid=100 + day)


def sign_in() -> Page:
    page = Page()
    navigation = page.landmark("navigation", "Breadcrumbs")
    page.text("Home", page.link("Home", parent=navigation))
    dialog = page.add("g", "dialog", "Sign in")
    page.text("Sign in to order.", dialog)
    form = page.add("f", "form", parent=dialog, nid=20)
    page.field("Name", parent=form, form=20)
    page.field("Password", "password", parent=form, form=20, secret=1)
    page.button("Sign in", parent=form, form=20, submits=1)
    offers = page.landmark("region", "Offers")
    page.heading("Offers", parent=offers)
    page.text("Two books for the price of one.", offers)
    page.button("More", parent=offers)
    return page


def lists() -> Page:
    page = Page()
    books = page.add("g", "table", "Books")
    add_row(page, books, "Title", "Author", "Stock")
    add_row(page, books, "Silent Tide", ("link", "Ann Lee"), "4", ("button", "Order"))
    add_row(page, books, "Low Water", "", "0")
    steps = page.part("list")
    for text in ("Pick a book.", "Pay."):
        page.text(text, page.part("item", steps))
    last = page.part("item", steps)
    page.text("Write to us.", last)
    form = page.add("f", "form", parent=last, nid=40)
    page.field("Email", parent=form, form=40)
    page.field("Message", parent=form, form=40)
    return page


def book_cards() -> Page:
    page = Page()
    for name, price in (("Silent Tide", "£ 12.50"), ("Low Water", "£ 9.00")):
        part: dict[str, Any] = {"as": "article"}
        card = page.add("c", "clickable", f"{name} {price}", **part)
        page.text(name, card)
        page.text(price, card)
    return page


def with_texts(*texts: str, url: str = f"{SHOP}/", document: str = "doc1") -> Page:
    page = Page(url=url, document=document, title="Shop")
    page.heading("Summary", 1)
    for text in texts:
        page.text(text)
    page.button("Refresh", nid=9)
    return page


def long_page() -> Page:
    page = Page(url=f"{SHOP}/stock", title="Stock")
    navigation = page.landmark("navigation", "Main")
    for name in ("Home", "Stock", "Orders", "Customers", "Reports", "Help"):
        page.text(name, page.link(name, f"{SHOP}/{name.lower()}", parent=navigation))
    page.heading("Stock", 1)
    books = page.add("g", "table", "Books")
    add_row(page, books, "Title", "Stock")
    for number in range(1, 401):
        add_row(page, books, f"Book {number}", str(number % 7), ("button", "Order"))
    page.text("400 books", page.landmark("contentinfo"))
    return page


def small_page() -> Page:
    page = Page(url=f"{SHOP}/search", title="Search", counts={"paragraphs": 1})
    main = page.landmark("main")
    page.heading("Search", 1, parent=main)
    page.field("Title", parent=page.add("f", "form", parent=main, nid=9), form=9, nid=10)
    page.text("2,500 books", main)
    return page
