import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { clientQuery } from '../api/client-queries.js';
import { ExplainPanel } from '../explain/explain-panel.js';
import { Failure } from '../elements/failure.js';
import { Screen } from '../elements/screen.js';
import { useDebouncedInput } from '../navigation/use-debounced-input.js';
import { ClientPicker } from '../search/client-picker.js';
import { text } from '../texts/redirects.js';
import { CustomList } from './custom-list.js';
import { RedirectTester } from './redirect-tester.js';
import classes from './redirects.module.css';

const route = getRouteApi('/redirects');

/** Tests redirect URIs against a client or a custom list. */
export function RedirectsScreen() {
  const { client } = route.useSearch();
  const navigate = route.useNavigate();
  const [requested, setRequested] = useRequested();
  const tested = { requested, onChange: setRequested };
  const choose = (clientId: string | undefined) => {
    void navigate({
      search: ({ client: _, ...others }) =>
        clientId === undefined ? others : { ...others, client: clientId },
      replace: true,
    });
  };
  return (
    <Screen title={text('redirects.title')} lead={text('redirects.lead')}>
      <ExplainPanel />
      <ClientPicker label={text('redirects.client')} onPick={({ client_id }) => choose(client_id)} />
      {client === undefined ? (
        <CustomList {...tested} />
      ) : (
        <AgainstClient key={client} clientId={client} onLeave={() => choose(undefined)} {...tested} />
      )}
    </Screen>
  );
}

interface AgainstClientProps {
  readonly clientId: string;
  readonly onLeave: () => void;
  readonly requested: string;
  readonly onChange: (requested: string) => void;
}

function AgainstClient({ clientId, onLeave, ...tested }: AgainstClientProps) {
  const { data, error, refetch } = useQuery(clientQuery(clientId));
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return failure ?? <Skeleton height={240} radius="lg" />;
  const { client } = data;
  return (
    <Stack gap="md">
      {failure}
      <div className={classes.client}>
        <Link to="/clients/$clientId" params={{ clientId }} className="foreign">
          <bdi>{client.client_name}</bdi>
        </Link>
        <code className="foreign">{clientId}</code>
        <Anchor component="button" inherit onClick={onLeave}>
          {text('redirects.own')}
        </Anchor>
      </div>
      <RedirectTester registered={client} method={client.redirect_uri_validation_method} {...tested} />
    </Stack>
  );
}

/** Browsers throttle URL changes on every keystroke. */
const PAUSE_MS = 400;

/** The redirect URI to test: local while typing, in the URL once typing pauses. */
function useRequested(): readonly [string, (requested: string) => void] {
  const { uri = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { typed, change } = useDebouncedInput({
    value: uri,
    onSettled: (next) => {
      void navigate({
        search: ({ uri: _, ...others }) => (next === '' ? others : { ...others, uri: next }),
        replace: true,
      });
    },
    pauseMs: PAUSE_MS,
  });
  return [typed, change];
}
