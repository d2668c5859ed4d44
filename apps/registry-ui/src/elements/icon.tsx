/** Outlines on a 16 × 16 grid, drawn for this console. */
const OUTLINES = {
  overview: 'M2.5 13.5h11M4 11V7.5M8 11V3M12 11V5.5',
  clients: 'M2.5 3.5h11v3.5h-11zM2.5 9.5h11V13h-11zM5 5.25h.01M5 11.25h.01',
  target: 'M8 2.5v2M8 11.5v2M2.5 8h2M11.5 8h2M8 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M8 8h.01',
  cookie:
    'M13.5 8A5.5 5.5 0 1 1 8 2.5c0 1.7 1 2.8 2.7 2.8 0 1.7 1.1 2.7 2.8 2.7M6 7h.01M6.5 10.5h.01M9.5 10h.01',
  pulse: 'M1.5 8.5H4l2-5.5 3.5 10 2-4.5h3',
  key: 'M9.5 9.5a3.5 3.5 0 1 0-3-3L2.5 10.5v3h3v-2h2zM10.5 5.5h.01',
  book: 'M3 3h3.5A1.5 1.5 0 0 1 8 4.5v9A1.5 1.5 0 0 0 6.5 12H3zM13 3H9.5A1.5 1.5 0 0 0 8 4.5v9A1.5 1.5 0 0 1 9.5 12H13z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.5 10.5l3 3',
  undo: 'M5.5 2.5L2.5 5.5l3 3M2.5 5.5h7a4 4 0 0 1 0 8H6',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  warning: 'M8 2.5l6 11H2zM8 7v3M8 11.75h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.5V11M8 5.25h.01',
  refused: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M4 4l8 8',
  external: 'M9.5 2.5h4v4M13.5 2.5L7 9M11.5 9.5v4h-9v-9h4',
  sun: 'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.5 3.5l.7.7M11.8 11.8l.7.7M3.5 12.5l.7-.7M11.8 4.2l.7-.7',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5',
  leave: 'M6.5 13.5h-4v-11h4M10 11l3.5-3L10 5M13.5 8H6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  pencil: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7l2.3 2.3',
  right: 'M6 3.5L10.5 8 6 12.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.75V8l2.25 1.5',
  download: 'M8 2.5V10M4.5 7L8 10.5 11.5 7M3 13.5h10',
  upload: 'M8 10.5V3M4.5 6L8 2.5 11.5 6M3 13.5h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  pause: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M6.5 6v4M9.5 6v4',
} as const;

export type IconName = keyof typeof OUTLINES;

interface IconProps {
  readonly name: IconName;
  /** Edge in CSS pixels. */
  readonly size?: number;
  /** The accessible name, if no text next to it says the same. */
  readonly label?: string;
}

export function Icon({ name, size = 16, label }: IconProps) {
  const spoken = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
      {...spoken}
    >
      <path d={OUTLINES[name]} />
    </svg>
  );
}
