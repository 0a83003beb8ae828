"""Tasks in the shop (django-oscar)."""

from typing import Final

from bench.tasks.agent import Agent
from bench.tasks.applications import SHOP, Running
from bench.tasks.model import button, choice, field, link
from bench.tasks.task import Task, expect

EMAIL: Final = "ada@example.org"
PASSWORD: Final = "harbour-light-9"  # noqa: S105 - no secret
_REFUSED: Final = "Please enter a correct username and password"
_ROW: Final = r"([A-Z]\w+ [A-Z]\w+ \d+) £\d+\.\d\d (In stock|Unavailable)"

_PRICE: Final = r"(?<!total: )£(\d+\.\d\d)"

_CHEAPEST: Final = """
select product.title from catalogue_product product
join partner_stockrecord stock on stock.product_id = product.id
join catalogue_productcategory placed on placed.product_id = product.id
join catalogue_category category on category.id = placed.category_id
join catalogue_productclass class on class.id = product.product_class_id
where category.name = ? and class.name = 'Book' and stock.num_in_stock > 0
order by stock.price limit 1"""
_IN_BASKET: Final = """
select product.title from basket_line line
join catalogue_product product on product.id = line.product_id
order by line.id desc limit 1"""
_SIX: Final = """
select product.title, slug, product.id, price from catalogue_product product
join partner_stockrecord stock on stock.product_id = product.id
where stock.num_in_stock > 0 order by product.id limit 6"""
_COUNT: Final = """
select count(*) from catalogue_product product
join catalogue_productclass class on class.id = product.product_class_id
where class.name = ? and product.rating = 4"""


async def log_in(agent: Agent) -> None:
    """Fill in the login form of the page."""
    login = {field("Email address"): EMAIL, field("Password"): PASSWORD}
    await agent.fill(login, submit=button("Log In"))


async def register(agent: Agent, shop: Running) -> None:
    """Log in with a wrong password, register with two different passwords, then rightly."""
    email, password = "bo@example.org", "lighthouse-77"
    await agent.open("/accounts/login/")
    wrong = {field("Email address"): email, field("Password"): "wrong"}
    await agent.fill(wrong, submit=button("Log In"))
    await agent.read(_REFUSED, hint=_REFUSED)
    form = {field("Email address", nth=1): email, field("Password", nth=1): password}
    again = field("Confirm password")
    await agent.fill({**form, again: "lighthouse-78"}, submit=button("Register"))
    await agent.read(r"two password fields didn.t match", hint=r"two password fields didn.t match")
    await agent.fill({**form, again: password}, submit=button("Register"))
    await agent.read("Thanks for registering", hint="Thanks for registering")
    expect(shop.query("select count(*) from auth_user where email = ?", email), [(1,)])


async def buy_cheapest(agent: Agent, shop: Running) -> None:
    """Find the cheapest book of a category that is in stock and put it into the basket."""
    await agent.open("/catalogue/")
    await agent.click(link("Sea stories"))
    await agent.click(link("book"))
    await agent.choose(choice("Sort by"), "Price low to high")
    title = await agent.read_first(_ROW, "In stock", hint="In stock")
    await agent.click(button("Add to basket", row=title))
    await agent.read("has been added to your basket", hint="has been added")
    expect(shop.query(_IN_BASKET), shop.query(_CHEAPEST, "Sea stories"))


async def compare(agent: Agent, shop: Running) -> None:
    """Open six products in tabs, compare their prices, put the cheapest into the basket."""
    products = shop.query(_SIX)
    paths = [f"/catalogue/{slug}_{number}/" for _, slug, number, _ in products]
    await agent.open("/catalogue/")
    prices = await agent.read_in_tabs(paths, _PRICE, hint="£")
    await agent.enter(min(prices, key=lambda tab: float(prices[tab])))
    await agent.click(button("Add to basket"))
    await agent.read("has been added to your basket", hint="has been added")
    cheapest = min(products, key=lambda product: float(product[3]))
    expect(shop.query(_IN_BASKET), [cheapest[:1]])


async def check_out(agent: Agent, shop: Running) -> None:
    """Order a product; the address is incomplete, then wrong, then right."""
    await agent.open("/accounts/login/?next=/catalogue/blue-compass-1_1/")
    await log_in(agent)
    await agent.click(button("Add to basket"))
    await agent.open("/checkout/")
    address = {
        field("First name"): "Ada",
        field("Last name"): "Lee",
        field("First line of address"): "1 Pier Road",
        field("City"): "Hull",
    }
    proceed, postcode = button("Continue"), field("Post/Zip-code")
    await agent.fill(address, submit=proceed, loads=False)
    await agent.fill({postcode: "99"}, submit=proceed)
    await agent.read("not valid|isn.t valid", hint="valid")
    await agent.fill({postcode: "HU1 2AB"}, submit=proceed)
    await agent.click(link("Continue"))
    await agent.click(button("Place order"))
    number = await agent.read(r"order number is (\d+)", hint="order number")
    ordered = """select ordered.number, address.postcode from order_order ordered
        join order_shippingaddress address on address.id = ordered.shipping_address_id"""
    expect(shop.query(ordered), [(number, "HU1 2AB")])


async def count(agent: Agent, shop: Running) -> None:
    """Choose two facets and read the counts."""
    await agent.open("/catalogue/")
    await agent.click(link("map"))
    await agent.click(link("4"))
    found = await agent.read(r"(\d+) results?\b", hint="result")
    expect([(int(found),)], shop.query(_COUNT, "Map"))


async def log_out(agent: Agent, shop: Running) -> None:
    """Log in and out on the way to a protected page."""
    await agent.open("/accounts/profile/")
    await log_in(agent)
    await agent.read(EMAIL, hint=EMAIL)
    expect(shop.query("select last_login is null from auth_user where email = ?", EMAIL), [(0,)])
    await agent.click(link("Logout"))
    await agent.open("/accounts/profile/")
    await agent.read("Log In", hint="Log In")


TASKS: Final = (
    Task(1, "shop: wrong password, register with errors, register", SHOP, register),
    Task(2, "shop: cheapest book in stock of a category into the basket", SHOP, buy_cheapest),
    Task(3, "shop: six products in tabs, compare prices", SHOP, compare),
    Task(4, "shop: checkout with native and server validation errors", SHOP, check_out),
    Task(5, "shop: two facets, read the counts", SHOP, count),
    Task(20, "shop: log in, log out, protected page", SHOP, log_out),
)
