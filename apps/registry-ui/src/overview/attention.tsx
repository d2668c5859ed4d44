import { Link } from '@tanstack/react-router';
import { warningLabel } from '../metadata/warning-label.js';
import { Notice } from '../elements/notice.js';
import { Panel } from '../elements/panel.js';
import { text } from '../texts/text.js';
import { Bars } from './bars.js';
import classes from './overview.module.css';
import type { Stats } from './stats.js';

/** Which warnings there are, the most frequent first, each leading to its Clients. */
export function Attention({ stats }: { readonly stats: Stats }) {
  const bars = stats.warnings.map(({ code, clients }) => ({
    id: code,
    label: (
      <Link to="/clients" search={{ warning: code }}>
        {warningLabel(code)}
      </Link>
    ),
    count: clients,
  }));
  return (
    <Panel title={text('overview.attention')}>
      <div className={classes.content}>
        {bars.length === 0 ? (
          <Notice kind="good" title={text('overview.attention.none')} />
        ) : (
          <Bars label={text('overview.attention')} bars={bars} tone="warn" />
        )}
      </div>
    </Panel>
  );
}
