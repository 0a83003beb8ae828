"""Service workers for the pages of tests, and scripts that use them."""

from starlette.responses import Response

from tests.whole.tabs import Tab

TAKES_OVER = """
addEventListener('install', () => { console.log('installed'); skipWaiting(); });
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
const answer = (path, how) => addEventListener('fetch', (event) => {
  if (event.request.url.endsWith(path)) event.respondWith(how(event.request));
});"""
ANSWERS = f"{TAKES_OVER} answer('/mocked', () => new Response('by the worker'));"
ASKS_AGAIN = f"""{TAKES_OVER}
answer('/mocked', async () => {{
  console.log('asked', {{n: 1}});
  return fetch('/echo?from=worker').catch((error) => new Response(error.name));
}});"""
SERVED = """
const path = %r, workers = navigator.serviceWorker;
await workers.register(path);
while (!workers.controller?.scriptURL.endsWith(path)) {  // an earlier test's worker may still serve
  await new Promise((done) => workers.addEventListener('controllerchange', done, { once: true }));
}"""
FETCHES = "await (await fetch('/mocked')).text()"


def script(tab: Tab, text: str) -> str:
    return tab.web.publish(Response(text.encode(), media_type="text/javascript"))
