import { Group, SegmentedControl, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../elements/empty-state.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { Notice } from '../elements/notice.js';
import { Screen } from '../elements/screen.js';
import { RegisterButton } from '../navigation/registration-links.js';
import { text } from '../texts/cookies.js';
import { cookieEntrypointsQuery, type CookieHost, CookieHosts } from './cookie-hosts.js';

/** The rest can be found by search. */
const MAX_SHOWN = 200;

/** Hostnames and their cookie entry points; each hostname should have one. */
export function CookiesScreen() {
  const { data, error, refetch } = useQuery(cookieEntrypointsQuery);
  return (
    <Screen title={text('cookies.title')} lead={text('cookies.lead')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} radius="lg" />}
      {data?.hosts.length === 0 && (
        <EmptyState icon="cookie" title={text('cookies.none')} action={<RegisterButton variant="default" />}>
          {text('cookies.none.how')}
        </EmptyState>
      )}
      {data && data.hosts.length > 0 && <Hosts hosts={data.hosts} lacking={data.lacking} />}
    </Screen>
  );
}

interface HostsProps {
  readonly hosts: readonly CookieHost[];
  readonly lacking: readonly string[];
}

function Hosts({ hosts, lacking }: HostsProps) {
  const [shown, setShown] = useState('all');
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase();
  // Once no hostname lacks one, the control is gone: show all.
  const all = shown === 'all' || lacking.length === 0;
  const rows = hosts.filter(
    ({ hostname, entrypoints }) => hostname.includes(words) && (all || entrypoints.length === 0),
  );
  return (
    <Stack gap="md">
      {lacking.length === 0 ? (
        <Notice kind="good" title={text('cookies.complete')} />
      ) : (
        <Notice kind="warn" title={text('cookies.lacking', { count: lacking.length })}>
          <p>{text('cookies.lacking.how')}</p>
        </Notice>
      )}
      <Group gap="sm">
        <TextInput
          aria-label={text('cookies.search')}
          placeholder={text('cookies.search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          leftSection={<Icon name="search" />}
          autoComplete="off"
          spellCheck={false}
          w={280}
        />
        {lacking.length > 0 && (
          <SegmentedControl
            aria-label={text('cookies.shown')}
            value={shown}
            onChange={setShown}
            data={[
              { value: 'all', label: text('cookies.shown.all', { count: hosts.length }) },
              { value: 'lacking', label: text('cookies.shown.lacking', { count: lacking.length }) },
            ]}
          />
        )}
      </Group>
      <CookieHosts hosts={rows.slice(0, MAX_SHOWN)} />
      {rows.length > MAX_SHOWN && (
        <p className="hint">{text('cookies.moreHosts', { count: rows.length - MAX_SHOWN })}</p>
      )}
      {rows.length === 0 && <p className="hint">{text('cookies.noHost')}</p>}
    </Stack>
  );
}
