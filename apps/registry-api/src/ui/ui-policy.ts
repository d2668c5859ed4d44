/**
 * The Content-Security-Policy of the admin UI's page: its own files, and the styles that it makes at run time under
 * the nonce. No inline script or style, no frame, no form, nothing of another origin.
 */
export function uiPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
