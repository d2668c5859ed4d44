import { useMemo } from 'react';
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

/**
 * How the user has arranged the table. The first column stays where it is.
 *
 * @param all the available columns
 * @param loadingColumn makes a column that is not yet available, while fields load, so that the others stay in place
 */
export function useTableSettings(
  all: readonly ClientColumn[],
  loadingColumn: ((id: string) => ClientColumn) | undefined,
): TableSettings {
  const [chosen, setChosen] = useStored<readonly string[] | null>(KEYS.columns, null);
  const [widths, setWidths] = useStored<ColumnWidths>(KEYS.widths, {});
  const [stored, setDensity] = useStored<Density>(KEYS.density, 'comfortable');
  const ids = Array.isArray(chosen) ? (chosen as readonly string[]) : undefined;
  // The same object while nothing changes, so that rows are not drawn again.
  const shown = useMemo(() => {
    const columns = ids ? chosenColumns(all, ids, loadingColumn) : all.filter(isUsual);
    return columns.map((column) => withWidth(column, widths[column.id]));
  }, [all, ids, widths, loadingColumn]);
  // Chosen columns of fields that have not loaded: changes keep them.
  const unknown = ids?.filter((id) => all.every((column) => column.id !== id)) ?? [];
  const choose = (next: readonly string[]) => setChosen([...new Set([...next, ...unknown])]);
  const move = (id: string, target: string) => {
    const order = shown.map((column) => column.id);
    const [from, to] = [order.indexOf(id), order.indexOf(target)];
    if (from < 1 || to < 1) return;
    choose(order.toSpliced(from, 1).toSpliced(to, 0, id));
  };
  const isChanged = ids !== undefined || Object.keys(widths).length > 0;
  return {
    columns: shown,
    density: Object.hasOwn(DENSITIES, stored) ? stored : 'comfortable',
    setDensity,
    choose,
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
function chosenColumns(
  all: readonly ClientColumn[],
  ids: readonly string[],
  loadingColumn: ((id: string) => ClientColumn) | undefined,
): ClientColumn[] {
  const chosen = ids.flatMap((id) => all.find((column) => column.id === id) ?? loadingColumn?.(id) ?? []);
  const others = chosen.filter(({ always }) => always !== true);
  return [...all.filter(({ always }) => always), ...others.map(asChosen)];
}

function isUsual({ always, usual }: ClientColumn): boolean {
  return always ?? usual ?? false;
}

function asChosen(column: ClientColumn): ClientColumn {
  return column.room ? { ...column, room: 'middle' } : column;
}

function withWidth(column: ClientColumn, width: number | undefined): ClientColumn {
  return typeof width === 'number' ? { ...column, width: `${limitWidth(width)}px` } : column;
}
