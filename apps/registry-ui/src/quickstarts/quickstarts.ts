import { type Application, pkceMethod, signsIn } from './application.js';
import { curl } from './curl.js';
import { aspNet, django, spring } from './frameworks.js';
import { oauth4webapi, openidClient } from './javascript.js';

interface Quickstart {
  readonly id: string;
  /** The framework. */
  readonly title: string;
  /** Where the code belongs, or how it runs. */
  readonly place: string;
  readonly write: (application: Application) => string;
  /** Only for clients whose users sign in. */
  readonly forUsers?: true;
  /** Its PKCE supports S256 only. */
  readonly onlyS256?: true;
}

/** The frameworks by popularity. */
const QUICKSTARTS: readonly Quickstart[] = [
  { id: 'openid-client', title: 'openid-client', place: 'app.mjs', write: openidClient },
  { id: 'oauth4webapi', title: 'oauth4webapi', place: 'app.mjs', write: oauth4webapi },
  { id: 'spring', title: 'Spring Boot', place: 'application.yaml', write: spring, onlyS256: true },
  { id: 'django', title: 'Django', place: 'views.py', write: django, forUsers: true, onlyS256: true },
  { id: 'aspnet', title: 'ASP.NET Core', place: 'Program.cs', write: aspNet, forUsers: true, onlyS256: true },
  { id: 'curl', title: 'curl', place: 'Terminal', write: curl },
];

export function quickstartsFor(application: Application): readonly Quickstart[] {
  const isPlain = signsIn(application) && pkceMethod(application) === 'plain';
  return QUICKSTARTS.filter(
    ({ forUsers = false, onlyS256 = false }) => (signsIn(application) || !forUsers) && !(isPlain && onlyS256),
  );
}
