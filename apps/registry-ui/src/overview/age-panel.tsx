import { Panel } from '../elements/panel.js';
import { text } from '../texts/text.js';
import { barsOfAges } from './age-groups.js';
import { Bars } from './bars.js';
import classes from './overview.module.css';
import type { Stats } from './stats.js';

/** When the Clients there are were registered. */
export function AgePanel({ age }: Pick<Stats, 'age'>) {
  return (
    <Panel title={text('overview.age')}>
      <div className={classes.content}>
        <Bars label={text('overview.age')} bars={barsOfAges(age)} />
      </div>
    </Panel>
  );
}
