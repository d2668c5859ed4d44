import type { Capabilities } from '../fields/capabilities.js';
import { validateRegistration } from '../validation/validate-request.js';

/** A starting point for a common kind of Client: metadata with example URLs to replace. */
export interface ClientTemplate {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A valid registration body. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

const CLIENT_TEMPLATES: readonly ClientTemplate[] = [
  {
    id: 'web',
    label: 'Web application',
    description: 'Signs users in from a web server without a secret, with PKCE.',
    metadata: {
      client_name: 'My web application',
      client_uri: 'https://app.example.com/',
      redirect_uris: ['https://app.example.com/callback'],
      code_challenge_method: 'S256',
    },
  },
  {
    id: 'web-confidential',
    label: 'Web application with a secret',
    description: 'Signs users in from a web server that can keep a secret, with PKCE.',
    metadata: {
      client_name: 'My web application',
      client_uri: 'https://app.example.com/',
      redirect_uris: ['https://app.example.com/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
      code_challenge_method: 'S256',
    },
  },
  {
    id: 'spa',
    label: 'Single-page application',
    description: 'Runs entirely in the browser, where it cannot keep a secret; uses PKCE instead.',
    metadata: {
      client_name: 'My single-page application',
      redirect_uris: ['https://spa.example.com/', 'http://localhost:5173/'],
      code_challenge_method: 'S256',
    },
  },
  {
    id: 'native',
    label: 'Mobile or desktop application',
    description:
      'Installed on a device; users return to it through its own URI scheme or a loopback address (RFC 8252).',
    metadata: {
      client_name: 'My native application',
      redirect_uris: ['com.example.app:/callback', 'http://127.0.0.1/callback'],
      application_type: 'native',
      code_challenge_method: 'S256',
    },
  },
  {
    id: 'service',
    label: 'Machine-to-machine service',
    description:
      'Gets tokens for itself with its secret; no users sign in, and the redirect URI is never used.',
    metadata: {
      client_name: 'My service',
      redirect_uris: ['https://service.example.com/unused'],
      response_types: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  },
  {
    id: 'cookie',
    label: 'Site behind cookie-based authorization',
    description: 'A site without OAuth support: the proxy in front of it checks a cookie.',
    metadata: {
      client_name: 'My protected site',
      redirect_uris: ['https://site.example.com/'],
      code_challenge_method: 'S256',
      cookie_entry_uri: 'https://site.example.com/auth/cookie',
      cookie_domain: 'site.example.com',
    },
  },
  {
    id: 'batman',
    label: 'Application with its own sessions (batman)',
    description:
      'Cookie-based authorization for an application with its own sessions: a webhook sets its cookies.',
    metadata: {
      client_name: 'My dashboards',
      redirect_uris: ['https://dashboards.example.com/'],
      code_challenge_method: 'S256',
      cookie_entry_uri: 'https://dashboards.example.com/auth/cookie',
      cookie_webhook_uri: 'http://dashboards.internal:8080/session',
      cookie_domain: 'dashboards.example.com',
    },
  },
  {
    id: 'anonymous',
    label: 'Site open to anonymous users',
    description:
      'Cookie-based authorization where users who are not signed in get the permissions of given credentials.',
    metadata: {
      client_name: 'My public site',
      redirect_uris: ['https://www.example.com/'],
      code_challenge_method: 'S256',
      cookie_entry_uri: 'https://www.example.com/auth/cookie',
      cookie_domain: 'www.example.com',
      authorize_anonymous_users: true,
      anonymous_cid: 'anonymous',
    },
  },
];

/** The templates that can be registered with these capabilities. */
export function clientTemplates(capabilities: Capabilities): ClientTemplate[] {
  return CLIENT_TEMPLATES.filter(({ metadata }) => validateRegistration(metadata, capabilities).valid);
}
