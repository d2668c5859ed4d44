/**
 * The Content-Security-Policy of the admin UI's page: its own files, and the styles that it makes at run time under
 * the nonce. No inline script or style, no frame, no form, nothing of another origin but requests to the issuer that
 * people sign in at.
 */
export function uiPolicy(nonce: string, issuerOrigin?: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", ...(issuerOrigin === undefined ? [] : [issuerOrigin])].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
