import { Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { Panel } from '../elements/panel.js';
import { ScopedButton } from '../elements/scopes.js';
import { WithReferences } from '../elements/external-link.js';
import { text } from '../texts/client.js';

type ProbeReport = Schema<'ProbeReport'>;

interface WebhookProbeProps {
  readonly clientId: string;
  readonly uri: string;
}

/** Makes the registry call the client's cookie webhook with a sample user, and shows the report. */
export function WebhookProbe({ clientId, uri }: WebhookProbeProps) {
  const probe = useMutation({
    mutationFn: async () =>
      fetchBody({
        method: 'POST',
        path: '/client/{client_id}/check/cookie_webhook',
        params: { client_id: clientId },
        body: {},
      }),
  });
  return (
    <Panel title={text('webhook.title')}>
      <Stack gap="md" p="md">
        <Group justify="space-between" gap="md">
          <bdi className="mono foreign">{uri}</bdi>
          <ScopedButton
            scope="clients:write"
            variant="default"
            loading={probe.isPending}
            onClick={() => probe.mutate()}
          >
            {text('webhook.call')}
          </ScopedButton>
        </Group>
        <p className="hint">{text('webhook.what')}</p>
        {probe.error && <Failure error={probe.error} />}
        {probe.data && <Report {...probe.data} />}
      </Stack>
    </Panel>
  );
}

function Report({ ok, status, duration_ms, cookies = {}, problems }: ProbeReport) {
  return (
    <Notice kind={ok ? 'good' : 'bad'} role="status" title={text(ok ? 'webhook.fine' : 'webhook.failed')}>
      <p className="numeric">
        {status === undefined
          ? text('webhook.unanswered', { count: duration_ms })
          : text('webhook.answered', { status: String(status), count: duration_ms })}
      </p>
      <ul>
        {problems.map(({ field, code, message }) => (
          <li key={`${field} ${code}`}>
            <WithReferences>{message}</WithReferences>
          </li>
        ))}
        {Object.entries(cookies).map(([name, value]) => (
          <li key={name}>
            <code className="foreign">{`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
