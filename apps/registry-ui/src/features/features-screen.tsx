import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Features } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { Failure } from '../elements/failure.js';
import { WithReferences } from '../elements/external-link.js';
import { Panel } from '../elements/panel.js';
import { Screen } from '../elements/screen.js';
import { sectionsOf } from '../metadata/sections.js';
import { text } from '../texts/features.js';
import { FeatureRow } from './feature-row.js';
import classes from './features.module.css';

/** What this registry supports, in readable form. */
export function FeaturesScreen() {
  const { data: features, error, refetch } = useQuery(featuresQuery);
  return (
    <Screen title={text('features.title')} lead={text('features.lead')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!features && !error && <Skeleton height={360} radius="lg" />}
      {features && (
        <>
          <Limits limits={features.limits} />
          {sectionsOf(features.fields).map(({ id, title, fields }) => (
            <Panel key={id} title={title}>
              <ul className={classes.fields}>
                {fields.map((field) => (
                  <FeatureRow key={field.name} field={field} />
                ))}
              </ul>
            </Panel>
          ))}
          <Deviations deviations={features.deviations} />
        </>
      )}
    </Screen>
  );
}

function Deviations({ deviations }: Pick<Features, 'deviations'>) {
  return (
    <Panel title={text('features.deviations')}>
      <ul className={classes.fields}>
        {deviations.map(({ subject, from, description }) => (
          <li key={`${subject} ${from}`} className={classes.field}>
            <div className={classes.name}>
              <strong>{subject}</strong>
              <span className="hint">
                {text('features.from')} <WithReferences>{from}</WithReferences>
              </span>
            </div>
            <div className={classes.what}>
              <p>
                <WithReferences>{description}</WithReferences>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const SECONDS_PER_DAY = 86_400;

/** Limits that apply to every client. */
function Limits({ limits }: Pick<Features, 'limits'>) {
  const {
    redirect_uris,
    uri_length,
    session_expiration_seconds: session,
    http_redirect_hosts: hosts,
  } = limits;
  return (
    <dl className={classes.limits}>
      <Limit name={text('features.limit.uris')} value={text('features.entries', { count: redirect_uris })} />
      <Limit name={text('features.limit.uri')} value={text('features.characters', { count: uri_length })} />
      <Limit
        name={text('features.limit.session')}
        value={text('tokens.lifetime', { count: Math.floor(session.maximum / SECONDS_PER_DAY) })}
      />
      <Limit
        name={text('features.limit.http')}
        value={['localhost', '127.0.0.0/8', '[::1]', ...hosts].join(', ')}
      />
    </dl>
  );
}

function Limit({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="foreign">{value}</dd>
    </div>
  );
}
