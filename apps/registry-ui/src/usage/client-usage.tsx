import { NativeSelect, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/usage.js';
import { formatDay } from '../texts/times.js';
import { LastUseCard } from './last-use-card.js';
import { RefusalsCard } from './refusals-card.js';
import { RedirectUrisCard, SecretsCard } from './uses-cards.js';
import { type Usage, usageQuery } from './usage-query.js';

const SPANS = [7, 30, 90, 400] as const;
const DEFAULT_DAYS = 30;

/** How a client is used: last uses, what each redirect URI and secret was used for, and what was refused. */
export function ClientUsage({ client }: TaggedClient) {
  const [days, setDays] = useState<number>(DEFAULT_DAYS);
  const { data: usage, error, refetch } = useQuery(usageQuery(client.client_id, days));
  return (
    <Stack gap="lg">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <NativeSelect
        label={text('usage.days')}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
        data={SPANS.map((span) => ({ value: String(span), label: text('usage.span', { count: span }) }))}
        w="max-content"
      />
      {usage && <Cards client={client} usage={usage} />}
      {!usage && !error && <Skeleton height={360} radius="lg" />}
    </Stack>
  );
}

function Cards({ client, usage }: Pick<TaggedClient, 'client'> & { readonly usage: Usage }) {
  return (
    <>
      <Completeness usage={usage} registeredAt={client.created_at} />
      <LastUseCard usage={usage} />
      <RefusalsCard refusals={usage.refusals} />
      <RedirectUrisCard client={client} usage={usage} />
      <SecretsCard usage={usage} />
    </>
  );
}

interface CompletenessProps {
  readonly usage: Usage;
  /** Nothing could be counted before. */
  readonly registeredAt: string;
}

/** Says where counts are missing, so that no count is mistaken for the full total. */
function Completeness({ usage, registeredAt }: CompletenessProps) {
  const { is_recorded: isRecorded, recorded_since: since, incomplete_days: incomplete } = usage;
  if (!isRecorded) {
    return (
      <Notice kind="warn" title={text('usage.off')}>
        <p>{text('usage.off.how')}</p>
      </Notice>
    );
  }
  // The current day is never complete.
  const missing = incomplete.slice(0, -1).filter((day) => day >= registeredAt.slice(0, day.length));
  if (missing.length === 0) return null;
  return (
    <Notice kind="info" title={text('usage.incomplete', { count: missing.length })}>
      {since !== undefined && <p>{text('usage.since', { since: formatDay(new Date(since)) })}</p>}
      <p>{text('usage.incomplete.why')}</p>
    </Notice>
  );
}
