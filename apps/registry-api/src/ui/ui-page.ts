import { randomBytes } from 'node:crypto';
import type { UiFiles } from './ui-files.js';
import type { UiSettings } from './ui-settings.js';

const NONCE_BYTES = 16;

const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Within an attribute in double quotes. */
const SETTINGS_PLACEHOLDER = '__UI_SETTINGS__';

export interface AnsweredPage {
  readonly html: string;
  /** The Content-Security-Policy to send with it. */
  readonly policy: string;
}

/** The console's page, with its settings and a fresh nonce in every response. */
export class UiPage {
  private readonly settings: string;
  private readonly issuerOrigin: string | undefined;

  constructor(
    private readonly files: UiFiles,
    settings: UiSettings,
  ) {
    this.settings = escapeAttribute(JSON.stringify(settings));
    this.issuerOrigin = settings.oidc && new URL(settings.oidc.issuer).origin;
  }

  /** @throws {Problem} 404 when the UI was not built */
  answer(nonce: string = randomBytes(NONCE_BYTES).toString('base64')): AnsweredPage {
    const html = this.files
      .page()
      .replaceAll(NONCE_PLACEHOLDER, () => nonce)
      .replaceAll(SETTINGS_PLACEHOLDER, () => this.settings);
    return { html, policy: uiPolicy(nonce, this.issuerOrigin) };
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * The Content-Security-Policy of the console's page: its own files, styles that it creates at run time under the nonce, and the
 * issuer where users sign in; no other inline scripts or styles, frames, forms or origins.
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
