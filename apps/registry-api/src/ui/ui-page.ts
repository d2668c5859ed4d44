import { randomBytes } from 'node:crypto';
import type { UiFiles } from './ui-files.js';
import type { UiSettings } from './ui-settings.js';

const NONCE_BYTES = 16;

/** What the page holds where the nonce of the answer belongs. */
const NONCE_PLACE = '__CSP_NONCE__';

/** What the page holds where the settings belong: the value of an attribute in double quotes. */
const SETTINGS_PLACE = '__UI_SETTINGS__';

/** The admin UI's page as one answer. */
export interface AnsweredPage {
  readonly html: string;
  /** The Content-Security-Policy that it must be sent with. */
  readonly policy: string;
}

/** The admin UI's page, with the settings and a nonce of its own in every answer. */
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
      .replaceAll(NONCE_PLACE, () => nonce)
      .replaceAll(SETTINGS_PLACE, () => this.settings);
    return { html, policy: uiPolicy(nonce, this.issuerOrigin) };
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * The Content-Security-Policy of the admin UI's page: its own files, and the styles that it makes at run time under
 * the nonce. No inline script or style, no frame, no form, and no other origin but the issuer that users sign in at.
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
