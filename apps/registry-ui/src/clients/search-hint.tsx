import { nearestName } from '@svc/foundation';
import { text } from '../texts/clients.js';
import type { Filter } from '../filters/filters.js';
import classes from './list-toolbar.module.css';
import { readTyped, typedName } from './typed-filters.js';

interface SearchHintProps {
  readonly typed: string;
  readonly filters: readonly Filter[];
}

/** Says what is possible instead of an unknown filter, or an invalid value. */
export function SearchHint({ typed, filters }: SearchHintProps) {
  // The value of the last word may still be incomplete.
  const { invalid } = readTyped(typed.replace(/\S+$/u, ''), filters);
  const { unknown } = readTyped(typed, filters);
  const hints = [
    ...unknown.map((name) => describeUnknown(name, filters.map(typedName))),
    ...invalid.map(({ filter, typed: value }) => describeInvalid(filter, value)),
  ];
  return (
    <div role="status" className={classes.hints}>
      {hints.map((hint) => (
        <p key={hint} className="hint">
          {hint}
        </p>
      ))}
    </div>
  );
}

function describeUnknown(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  const values = { name, near: near ?? '', names: names.join(', ') };
  return text(near === undefined ? 'filter.unknown' : 'filter.unknown.near', values);
}

function describeInvalid(filter: Filter, value: string): string {
  const { options = [], example, read } = filter;
  const examples = [...options.map((option) => option.value), ...(example === undefined ? [] : [example])];
  const name = typedName(filter);
  if (examples.length === 0) return text('filter.invalid.date', { name, value });
  return text(read ? 'filter.invalid.text' : 'filter.invalid', { name, value, values: examples.join(', ') });
}
