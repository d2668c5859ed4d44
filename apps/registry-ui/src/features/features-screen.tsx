import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { featuresQuery } from '../api/client-queries.js';
import type { Features } from '../api/client-documents.js';
import { Failure } from '../elements/failure.js';
import { Panel } from '../elements/panel.js';
import { Screen } from '../elements/screen.js';
import { WithReferences } from '../elements/with-references.js';
import { sectionsOf } from '../metadata/sections.js';
import { text } from '../texts/text.js';
import { FeatureRow } from './feature-row.js';
import classes from './features.module.css';
import { Limits } from './limits.js';

/** What this registry supports, as its API tells it, to be read. */
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
            <Panel key={id} title={text(title)}>
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
