import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { ownTokenQuery } from './api/own-token.js';
import { queryClient } from './api/query-client.js';
import { useSession } from './api/session.js';
import { settings } from './api/settings.js';
import { usePrinting } from './elements/printing.js';
import { forgetUndoable } from './elements/undoable.js';
import { usePreloaded } from './elements/use-preloaded.js';
import { router } from './routes.js';
import { RETURN_PATH } from './sign-in/issuer/code-request.js';
import { loadScreen, ScreenError } from './shell/screen-errors.js';
import { resolveCssVariables, theme } from './styles/theme.js';

const loadSignIn = async () => loadScreen(async () => import('./sign-in/sign-in.js'));

const SignIn = lazy(async () => ({ default: (await loadSignIn()).SignIn }));

const SessionEnded = lazy(async () => ({ default: (await loadSignIn()).SessionEnded }));

const SignInReturn = lazy(async () =>
  loadScreen(async () => ({ default: (await import('./sign-in/sign-in-return.js')).SignInReturn })),
);

/** Toasts shown earlier wait for it. */
const Toasts = lazy(async () =>
  loadScreen(async () => ({ default: (await import('./elements/toasts.js')).Toasts })),
);

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
          <Suspense>
            <Toasts />
          </Suspense>
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Shows the sign-in page until the user is signed in; an ended session keeps the screen. */
function SessionGate() {
  const session = useSession();
  const signedOut = session === undefined;
  // Before the session ends: the registry may then serve another version.
  usePreloaded(loadSignIn);
  const token = session?.ended === false ? session.token : undefined;
  useEffect(() => {
    // Don't show another user's data, and retry what failed with the previous token.
    if (signedOut) {
      queryClient.clear();
      forgetUndoable();
    }
    if (token === undefined) return;
    void queryClient.refetchQueries({ type: 'active', predicate: hasFailed });
    void queryClient.invalidateQueries({ queryKey: ownTokenQuery.queryKey });
  }, [signedOut, token]);
  if (settings.oidc && location.pathname === RETURN_PATH) return <SignInReturn oidc={settings.oidc} />;
  if (signedOut) return <SignIn />;
  return (
    <>
      <RouterProvider router={router} />
      {session.ended && (
        <Suspense>
          <SessionEnded />
        </Suspense>
      )}
    </>
  );
}

function hasFailed({ state }: { readonly state: { readonly status: string } }): boolean {
  return state.status === 'error';
}
