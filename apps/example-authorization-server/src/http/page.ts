import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem }
button, input { font: inherit; padding: 0.4rem 0.8rem; margin: 0.2rem 0 }
dt { font-weight: 600 } dd { margin: 0; overflow-wrap: anywhere }`;

/** Escapes untrusted text for HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A page whose policy forbids all scripts. */
export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** @param body HTML, with untrusted text escaped */
export function pageOf(title: string, body: string): Page {
  const nonce = randomBytes(16).toString('base64');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`,
    'cache-control': 'no-store',
  };
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`;
  return { headers, html };
}

/** Answers with a page. */
export function sendPage(response: ServerResponse, title: string, body: string, status = 200): void {
  const { headers, html } = pageOf(title, body);
  response.writeHead(status, headers).end(html);
}
