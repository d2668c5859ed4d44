import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { trimStaleLists } from './api/client-lists.js';
import { clientsQuery } from './api/client-queries.js';
import { queryClient } from './api/query-client.js';
import { readClientTab } from './client/client-tab-names.js';
import { listParams, readListSearch } from './clients/list-search.js';
import { keepSpaces } from './navigation/kept-spaces.js';
import { parseSearch, pickParams, writeSearch } from './navigation/search-params.js';
import { loadCode } from './elements/load-code.js';
import { NotFound, ScreenError } from './shell/screen-errors.js';
import { Shell } from './shell/shell.js';

const root = createRootRoute({ component: Shell });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(
    () => loadCode(() => import('./overview/overview-screen.js')),
    'OverviewScreen',
  ),
});

const changes = createRoute({
  getParentRoute: () => root,
  path: '/changes',
  component: lazyRouteComponent(() => loadCode(() => import('./changes/changes-screen.js')), 'ChangesScreen'),
});

const clients = createRoute({
  getParentRoute: () => root,
  path: '/clients',
  validateSearch: readListSearch,
  beforeLoad: ({ cause }) => {
    if (cause === 'enter') trimStaleLists(queryClient);
  },
  // The first rows load along with the screen's script; later the screen requests them itself.
  loader: ({ location }) => {
    void queryClient.prefetchInfiniteQuery(clientsQuery(listParams(readListSearch(location.search))));
  },
  staleTime: Infinity,
  component: lazyRouteComponent(() => loadCode(() => import('./clients/clients-screen.js')), 'ClientsScreen'),
});

const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  component: lazyRouteComponent(() => loadCode(() => import('./jobs/activity-screen.js')), 'ActivityScreen'),
});

const job = createRoute({
  getParentRoute: () => root,
  path: '/activity/$jobId',
  component: lazyRouteComponent(() => loadCode(() => import('./jobs/job-screen.js')), 'JobScreen'),
});

const deleted = createRoute({
  getParentRoute: () => root,
  path: '/deleted',
  component: lazyRouteComponent(
    () => loadCode(() => import('./deleted/deleted-clients-screen.js')),
    'DeletedClientsScreen',
  ),
});

const client = createRoute({
  getParentRoute: () => root,
  path: '/clients/$clientId',
  validateSearch: readClientTab,
  component: lazyRouteComponent(() => loadCode(() => import('./client/client-screen.js')), 'ClientScreen'),
});

const edit = createRoute({
  getParentRoute: () => root,
  path: '/clients/$clientId/edit',
  // Where a client was edited as a whole; it is now edited on its page.
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/clients/$clientId', params, replace: true });
  },
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: ({ template }: Record<string, unknown>): { template?: string } =>
    typeof template === 'string' ? { template } : {},
  component: lazyRouteComponent(
    () => loadCode(() => import('./register/register-screen.js')),
    'RegisterScreen',
  ),
});

const importing = createRoute({
  getParentRoute: () => root,
  path: '/import',
  component: lazyRouteComponent(() => loadCode(() => import('./import/import-screen.js')), 'ImportScreen'),
});

const redirects = createRoute({
  getParentRoute: () => root,
  path: '/redirects',
  validateSearch: (params: Record<string, unknown>) => pickParams(params, ['client', 'uri']),
  component: lazyRouteComponent(
    () => loadCode(() => import('./redirects/redirects-screen.js')),
    'RedirectsScreen',
  ),
});

const cookies = createRoute({
  getParentRoute: () => root,
  path: '/cookies',
  component: lazyRouteComponent(() => loadCode(() => import('./cookies/cookies-screen.js')), 'CookiesScreen'),
});

const recommendations = createRoute({
  getParentRoute: () => root,
  path: '/recommendations',
  component: lazyRouteComponent(
    () => loadCode(() => import('./recommendations/recommendations-screen.js')),
    'RecommendationsScreen',
  ),
});

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  component: lazyRouteComponent(() => loadCode(() => import('./tokens/tokens-screen.js')), 'TokensScreen'),
});

const features = createRoute({
  getParentRoute: () => root,
  path: '/features',
  component: lazyRouteComponent(
    () => loadCode(() => import('./features/features-screen.js')),
    'FeaturesScreen',
  ),
});

/** The screens by path, each loaded on first use. */
export const router = createRouter({
  basepath: '/ui',
  routeTree: root.addChildren([
    overview,
    changes,
    clients,
    activity,
    job,
    deleted,
    client,
    edit,
    register,
    importing,
    redirects,
    cookies,
    recommendations,
    tokens,
    features,
  ]),
  // Plain strings, as in the HTTP API: ids that look like numbers stay strings.
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

keepSpaces(router);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
