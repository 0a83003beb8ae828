"""The page whose text modes the documents show."""

ACME = """<!doctype html>
<header><h1>Acme</h1>
<nav aria-label=Main><a href="/docs?1">Home</a> <a href="/docs?2">Docs</a></nav></header>
<main><h2>Welcome</h2><form onsubmit="return false">
<label>Email <input type=email required></label>
<label><input type=checkbox> Remember me</label>
<button>Sign In</button></form></main>"""
ADS = (
    """<iframe title=Ads srcdoc="<button onclick='this.textContent = 1'>Close</button>"></iframe>"""
)
