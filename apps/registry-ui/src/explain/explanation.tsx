import { Stack } from '@mantine/core';
import type { Schema } from '@svc/registry-contract';
import { Link } from '@tanstack/react-router';
import { WithReferences } from '../elements/external-link.js';
import { Notice } from '../elements/notice.js';
import { RelativeTime } from '../elements/relative-time.js';
import { HistoryEntry } from '../history/history-entry.js';
import { text } from '../texts/explain.js';
import { formatDateTime } from '../texts/times.js';
import classes from './explain.module.css';
import { MarkedUris } from './marked-uris.js';

export type ExplanationDocument = Schema<'Explanation'>;

/** Why a request is rejected: the rules, the nearest redirect URI, its last success, and the change that broke it. */
export function Explanation(explanation: ExplanationDocument) {
  const { valid, errors, notes, nearest, redirect_uri: requested } = explanation;
  return (
    <Stack gap="md">
      <Notice
        kind={valid ? 'good' : 'bad'}
        role="status"
        title={text(valid ? 'explain.accepted' : 'explain.refused')}
      >
        <p>
          <ClientLink {...explanation} />
        </p>
        <ul className={classes.rules}>
          {errors.map(({ rule, error_description: why }) => (
            <li key={`${rule} ${why}`}>
              <WithReferences>{why}</WithReferences> <code>{rule}</code>
            </li>
          ))}
        </ul>
      </Notice>
      {notes.map(({ code, message }) => (
        <Notice key={code} kind="info" title={text('explain.note')}>
          <p>
            <WithReferences>{message}</WithReferences>
          </p>
        </Notice>
      ))}
      {nearest && requested !== undefined && <MarkedUris requested={requested} nearest={nearest} />}
      <p className={classes.fact}>
        {text('explain.last')} <LastSuccess {...explanation} />
      </p>
      {!valid && <Cause {...explanation} />}
    </Stack>
  );
}

function ClientLink({ client_id: clientId, client_name: name }: ExplanationDocument) {
  if (name === undefined) return <code className="foreign">{clientId}</code>;
  return (
    <Link to="/clients/$clientId" params={{ clientId }} className="foreign">
      <bdi>{name}</bdi>
    </Link>
  );
}

function LastSuccess({ errors, last_worked_at: at, recorded_since: since }: ExplanationDocument) {
  if (at !== undefined) return <RelativeTime at={at} />;
  if (errors.some(({ rule }) => rule === 'client_deleted')) return text('explain.last.deleted');
  if (since === undefined) return text('explain.last.unrecorded');
  return text('explain.last.never', { time: formatDateTime(new Date(since)) });
}

function Cause({ history = 'unknown', broken_by: change, expired_at: end }: ExplanationDocument) {
  if (change) {
    return (
      <div>
        <p className={classes.fact}>{text('explain.changed')}</p>
        <ul className={classes.change}>
          <HistoryEntry change={change} tagged={undefined} />
        </ul>
      </div>
    );
  }
  const time = end === undefined ? '' : formatDateTime(new Date(end));
  return <p className={classes.fact}>{text(`explain.${history}`, { time })}</p>;
}
