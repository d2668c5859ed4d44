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
import { isLeavingGuarded } from './elements/leave-screen.js';
// Not loaded on demand: many browsers remember a module that failed to load, and the session would end early.
import { keepSessionRenewed } from './sign-in/issuer/access-tokens.js';

const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';

// Where react-remove-scroll looks for the nonce of its style.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('root');
if (!place) throw new Error('the page has no element with the id root');
if (settings.oidc) keepSessionRenewed();
followOtherTabs(isLeavingGuarded);
createRoot(place).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
);
