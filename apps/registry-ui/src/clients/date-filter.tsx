import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { dayOf, startOfDay } from './local-days.js';
import { useTyped } from '../navigation/use-typed.js';

/** Long enough to go on to the next part of the date. */
const PAUSE_MS = 1_000;

/** Above, inputs would take years of six digits. */
const LAST_DAY = '2999-12-31';

interface DateFilterProps {
  readonly label: string;
  /** An instant as RFC 3339; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Takes a day and tells when it begins for the reader. It is typed part by part, so it counts once it is whole. */
export function DateFilter({ label, value, onChange }: DateFilterProps) {
  const box = useRef<HTMLInputElement>(null);
  const { typed, change, settle } = useTyped({
    value: dayOf(value),
    onSettled: (day) => {
      const instant = startOfDay(day);
      // An input that holds but a part of a date says that it is empty.
      const cleared = day === '' && box.current?.validity.badInput === false;
      if (instant !== undefined || cleared) onChange(instant ?? '');
    },
    pauseMs: PAUSE_MS,
  });
  return (
    <TextInput
      ref={box}
      type="date"
      label={label}
      value={typed}
      max={LAST_DAY}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle();
      }}
    />
  );
}
