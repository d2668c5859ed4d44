// Mantine's styles come first: a rule of ours wins over one of the same weight.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles/fonts.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { keepSessionRenewed } from './sign-in/issuer/access-tokens.js';

const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';

// Where the library that locks scrolling behind a dialog looks for the nonce of its style.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('root');
if (!place) throw new Error('the page has no element with the id root');
keepSessionRenewed();
createRoot(place).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
);
