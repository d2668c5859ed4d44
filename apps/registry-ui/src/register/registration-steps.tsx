import { Icon } from '../elements/icon.js';
import { text } from '../texts/register.js';
import classes from './register.module.css';

const STEPS = ['register.step.type', 'register.step.addresses', 'register.step.connect'] as const;

/** Where a registration is. @param current counts from 1 */
export function RegistrationSteps({ current }: { readonly current: 1 | 2 | 3 }) {
  return (
    <ol className={classes.steps} aria-label={text('register.steps')}>
      {STEPS.map((name, index) => {
        const done = index + 1 < current;
        return (
          <li key={name} data-done={done} aria-current={index + 1 === current ? 'step' : undefined}>
            <span className={classes.number}>
              {done ? <Icon name="check" size={14} label={text('register.step.done')} /> : index + 1}
            </span>
            {text(name)}
          </li>
        );
      })}
    </ol>
  );
}
