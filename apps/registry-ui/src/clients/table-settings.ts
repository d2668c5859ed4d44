import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import type { ClientColumn } from './client-column.js';

/** Settings of the table, stored per browser. */
const KEYS = {
  columns: 'registry-columns',
  widths: 'registry-column-widths',
  density: 'registry-density',
} as const;

/** Row heights in pixels. */
export const DENSITIES = { comfortable: 44, compact: 32 } as const;

export type Density = keyof typeof DENSITIES;

/** By column, in pixels. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** Room for a few letters, and as wide as a screen. */
const WIDTH_LIMITS = { least: 64, most: 1_600 };

export function limitWidth(px: number): number {
  return Math.round(Math.min(Math.max(px, WIDTH_LIMITS.least), WIDTH_LIMITS.most));
}

export interface TableSettings {
  /** The visible columns in display order. */
  readonly columns: readonly ClientColumn[];
  readonly density: Density;
  setDensity(density: Density): void;
  /** Shows these columns, in this order. */
  choose(ids: readonly string[]): void;
  /** Moves a column to where another one is. */
  move(id: string, target: string): void;
  setWidths(widths: ColumnWidths): void;
  /** Restores default columns and widths. */
  reset: (() => void) | undefined;
}

/** How the user has arranged the table. The first column stays where it is. */
export function useTableSettings(all: readonly ClientColumn[]): TableSettings {
  const [chosen, setChosen] = useStored<readonly string[] | null>(KEYS.columns, null);
  const [widths, setWidths] = useStored<ColumnWidths>(KEYS.widths, {});
  const [stored, setDensity] = useStored<Density>(KEYS.density, 'comfortable');
  const ids = Array.isArray(chosen) ? (chosen as readonly string[]) : undefined;
  const shown = ids ? chosenColumns(all, ids) : all.filter(({ always, usual }) => always ?? usual);
  // Chosen columns of fields that have not loaded: changes keep them.
  const unknown = ids?.filter((id) => all.every((column) => column.id !== id)) ?? [];
  const move = (id: string, target: string) => {
    const order = shown.map((column) => column.id);
    const [from, to] = [order.indexOf(id), order.indexOf(target)];
    if (from < 1 || to < 1) return;
    setChosen([...order.toSpliced(from, 1).toSpliced(to, 0, id), ...unknown]);
  };
  const isChanged = ids !== undefined || Object.keys(widths).length > 0;
  return {
    columns: shown.map((column) => withWidth(column, widths[column.id])),
    density: Object.hasOwn(DENSITIES, stored) ? stored : 'comfortable',
    setDensity,
    choose: (next) => setChosen([...next, ...unknown]),
    move,
    setWidths: (changed) => setWidths({ ...widths, ...changed }),
    reset: isChanged
      ? () => {
          setChosen(null);
          setWidths({});
        }
      : undefined,
  };
}

/** Whether the user has chosen columns; only then are all fields required. */
export function hasChosenColumns(): boolean {
  return Array.isArray(readLocalStorageValue({ key: KEYS.columns }));
}

function useStored<T>(key: string, defaultValue: T) {
  return useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false });
}

/** Chosen columns stay visible even if the table has to scroll sideways. */
function chosenColumns(all: readonly ClientColumn[], ids: readonly string[]): ClientColumn[] {
  const others = ids.flatMap((id) => all.find((column) => column.id === id && column.always !== true) ?? []);
  return [...all.filter(({ always }) => always), ...others.map(asChosen)];
}

function asChosen(column: ClientColumn): ClientColumn {
  return column.room ? { ...column, room: 'middle' } : column;
}

function withWidth(column: ClientColumn, width: number | undefined): ClientColumn {
  return typeof width === 'number' ? { ...column, width: `${limitWidth(width)}px` } : column;
}
