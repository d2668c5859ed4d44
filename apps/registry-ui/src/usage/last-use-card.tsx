import { Panel } from '../elements/panel.js';
import { RelativeTime } from '../elements/relative-time.js';
import { text, type TextName } from '../texts/usage.js';
import { formatNumber } from '../texts/text.js';
import classes from './usage.module.css';
import type { Usage } from './usage-query.js';

/** When the client was last used and refused, and how often. */
export function LastUseCard({ usage }: { readonly usage: Usage }) {
  const { periods, last_used_at: used, last_refused_at: refused } = usage;
  const accepted = periods.reduce((sum, period) => sum + period.accepted, 0);
  const rejected = periods.reduce((sum, period) => sum + period.refused, 0);
  if (used === undefined && refused === undefined) {
    return (
      <Panel title={text('usage.title')}>
        <p className={`hint ${classes.empty}`}>{text('usage.none')}</p>
      </Panel>
    );
  }
  return (
    <Panel title={text('usage.title')}>
      <dl className={classes.facts}>
        <Fact name="usage.lastUsed">{<LastTime at={used} />}</Fact>
        <Fact name="usage.lastRefused">{<LastTime at={refused} />}</Fact>
        <Fact name="usage.accepted">{formatNumber(accepted)}</Fact>
        <Fact name="usage.refused">{formatNumber(rejected)}</Fact>
        <Fact name="usage.pkce">{listOf(usage.pkce)}</Fact>
        <Fact name="usage.responseTypes">{listOf(usage.response_types)}</Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: TextName; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{text(name)}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  );
}

/** "Last used", with when. */
export function LastUse({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return text('usage.neverUsed');
  return (
    <>
      {text('usage.lastUsed')} <RelativeTime at={at} />
    </>
  );
}

function LastTime({ at }: { readonly at: string | undefined }) {
  return at === undefined ? text('usage.never') : <RelativeTime at={at} />;
}

function listOf(values: Usage['pkce']): string {
  if (values.length === 0) return text('field.none');
  return values.map(({ value, count }) => `${value} (${formatNumber(count)})`).join(', ');
}
