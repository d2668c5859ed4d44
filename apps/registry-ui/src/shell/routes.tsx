import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readClientTab } from '../client/client-tab-names.js';
import { Crash, Nowhere } from './crash.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => redirect({ to: '/clients', throw: true }),
});

const clients = createRoute({
  getParentRoute: () => root,
  path: '/clients',
  component: lazyRouteComponent(() => import('../clients/clients-screen.js'), 'ClientsScreen'),
});

const client = createRoute({
  getParentRoute: () => root,
  path: '/clients/$clientId',
  validateSearch: readClientTab,
  component: lazyRouteComponent(() => import('../client/client-screen.js'), 'ClientScreen'),
});

const edit = createRoute({
  getParentRoute: () => root,
  path: '/clients/$clientId/edit',
  component: lazyRouteComponent(() => import('../edit/edit-screen.js'), 'EditScreen'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: ({ template }: Record<string, unknown>): { template?: string } =>
    typeof template === 'string' ? { template } : {},
  component: lazyRouteComponent(() => import('../register/register-screen.js'), 'RegisterScreen'),
});

/** The screens by their addresses, each loaded when it is first opened. */
export const router = createRouter({
  basepath: '/ui',
  routeTree: root.addChildren([start, clients, client, edit, register]),
  defaultPreload: 'intent',
  defaultErrorComponent: Crash,
  defaultNotFoundComponent: Nowhere,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
