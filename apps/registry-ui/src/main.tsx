// Mantine's styles come first, so that ours win at equal specificity.
import './styles/mantine.js';
import '@mantine/notifications/styles.css';
import './styles/fonts.css';
import './styles/base.css';
import './styles/print.css';
// Before the code that draws the frame, so that its requests run meanwhile.
import './first-screen.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { followOtherTabs } from './api/other-tabs.js';
import { settings } from './api/settings.js';

const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';

// Where react-remove-scroll looks for the nonce of its style.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('root');
if (!place) throw new Error('the page has no element with the id root');
/** Delay before loading the session renewal is retried. */
const RETRY_RENEWAL_MS = 5_000;

if (settings.oidc) void keepSessionRenewed();
followOtherTabs();
createRoot(place).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
);

/** Loaded only where users sign in at an issuer. Retried until it succeeds, or the session would end early. */
async function keepSessionRenewed(): Promise<void> {
  try {
    const accessTokens = await import('./sign-in/issuer/access-tokens.js');
    accessTokens.keepSessionRenewed();
  } catch {
    setTimeout(() => void keepSessionRenewed(), RETRY_RENEWAL_MS);
  }
}
