import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { type Query, QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError } from './api/api-error.js';
import { featuresQuery } from './api/client-queries.js';
import { ownTokenQuery } from './api/own-token.js';
import { queryClient } from './api/query-client.js';
import { useSession } from './api/session.js';
import { settings } from './api/settings.js';
import { loadCode } from './elements/load-code.js';
import { OnDemand } from './elements/on-demand.js';
import { PlainToasts } from './elements/plain-toasts.js';
import { usePrinting } from './elements/printing.js';
import { forgetToasts } from './elements/undoable.js';
import { usePreloaded } from './elements/use-preloaded.js';
import { router } from './routes.js';
import { RETURN_PATH } from './sign-in/issuer/return-path.js';
import { ScreenError } from './shell/screen-errors.js';
import { resolveCssVariables, theme } from './styles/theme.js';

const loadSignIn = async () => loadCode(async () => import('./sign-in/sign-in.js'));

const SignIn = lazy(async () => ({ default: (await loadSignIn()).SignIn }));

const SessionEnded = lazy(async () => ({ default: (await loadSignIn()).SessionEnded }));

const SignInReturn = lazy(async () =>
  loadCode(async () => ({ default: (await import('./sign-in/sign-in-return.js')).SignInReturn })),
);

const loadToasts = async () => loadCode(async () => import('./elements/toasts.js'));

const Toasts = lazy(async () => ({ default: (await loadToasts()).Toasts }));

interface AppProps {
  /** Marks styles created at run time, so that the page's policy allows them. */
  readonly nonce: string;
}

export function App({ nonce }: AppProps) {
  const printing = usePrinting();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveCssVariables}
      defaultColorScheme="auto"
      {...(printing && { forceColorScheme: 'light' })}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <CatchBoundary getResetKey={() => ''} errorComponent={ScreenError}>
          <Suspense>
            <SessionGate />
          </Suspense>
          <FirstToasts />
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Loads toasts after the first screen, and shows them once there is one. */
function FirstToasts() {
  const { notifications, queue } = useNotifications();
  const [hasToasts, setHasToasts] = useState(false);
  usePreloaded(loadToasts);
  if (!hasToasts && notifications.length + queue.length > 0) setHasToasts(true);
  if (!hasToasts) return null;
  // An error screen would lose what was entered, or a secret that is shown only once.
  return (
    <CatchBoundary getResetKey={() => ''} errorComponent={PlainToasts}>
      <Suspense>
        <Toasts />
      </Suspense>
    </CatchBoundary>
  );
}

/** Shows the sign-in page until the user is signed in; an ended session keeps the screen. */
function SessionGate() {
  const session = useSession();
  const signedOut = session === undefined;
  // Before the session ends: the registry may then serve another version.
  usePreloaded(loadSignIn);
  const token = session?.ended === false ? session.token : undefined;
  const hadEnded = useRef(false);
  useEffect(() => {
    // Don't show another user's data, and retry what failed with the previous token.
    if (signedOut) {
      // What is still running neither reports to that user nor changes the cache.
      for (const running of queryClient.getMutationCache().getAll()) running.setOptions({});
      queryClient.clear();
      forgetToasts();
    }
    const signedInAgain = hadEnded.current;
    hadEnded.current = !signedOut && token === undefined;
    if (token === undefined) return;
    if (signedInAgain) renewForToken();
    else void queryClient.refetchQueries({ type: 'active', predicate: wasUnauthorized });
    void queryClient.invalidateQueries({ queryKey: ownTokenQuery.queryKey });
  }, [signedOut, token]);
  if (settings.oidc && location.pathname === RETURN_PATH) return <SignInReturn oidc={settings.oidc} />;
  if (signedOut) return <SignIn />;
  return (
    <>
      <RouterProvider router={router} />
      {session.ended && (
        <OnDemand onFail={() => undefined}>
          <SessionEnded />
        </OnDemand>
      )}
    </>
  );
}

/** The new token may show other data than the former, or what the former was refused; the screen stays. */
function renewForToken(): void {
  queryClient.removeQueries({ type: 'inactive', predicate: (query) => !isReadForToken(query) });
  void queryClient.invalidateQueries({ predicate: (query) => wasUnauthorized(query) || mayDiffer(query) });
}

/** Not the preview of an import, which would send its file again. */
function mayDiffer(query: Pick<Query, 'queryKey'>): boolean {
  return !isReadForToken(query) && !String(query.queryKey[0]).startsWith('import-');
}

/** Signing in reads the settings, to verify the token, and a new token's scopes are read above. */
function isReadForToken({ queryKey: [name] }: Pick<Query, 'queryKey'>): boolean {
  return name === featuresQuery.queryKey[0] || name === ownTokenQuery.queryKey[0];
}

/** Without a new sign-in, other failures are not the token's: the screen offers to retry them, which may send a large file again. */
function wasUnauthorized({ state: { error } }: Pick<Query, 'state'>): boolean {
  return error instanceof ApiError && error.status === 401;
}
