import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type NotificationProps,
  type PopoverProps,
  type TooltipProps,
} from '@mantine/core';
import { text } from '../texts/text.js';

/** The accent colour: white text is readable on 6 to 9, accent text on white from 7, on dark up to 4. */
const iris: MantineColorsTuple = [
  '#f1f2fe',
  '#e2e4fb',
  '#c5c9f5',
  '#a8aef0',
  '#8f96ea',
  '#737be2',
  '#5a62d2',
  '#4a52be',
  '#3f46a4',
  '#343a88',
];

/** For destructive actions: white text is readable on 6 to 9. */
const red: MantineColorsTuple = [
  '#fff1f0',
  '#ffe0de',
  '#ffc1bd',
  '#ff9d96',
  '#f9776e',
  '#e85a51',
  '#c93a31',
  '#b3261e',
  '#931d16',
  '#741610',
];

/** One type scale (12, 13, 14, 16, 20 px) and one spacing scale (4, 8, 16, 24, 40 px). */
export const theme = createTheme({
  colors: { iris, red },
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: "Inter, 'Inter stand-in', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.35' },
      h2: { fontSize: '1rem', lineHeight: '1.5' },
      h3: { fontSize: '0.875rem', lineHeight: '1.5' },
    },
  },
  // Plain objects rather than `Component.extend`, so that a screen loads only the components it uses.
  components: {
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': text('action.close') },
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
      } satisfies Partial<ModalProps>,
      styles: { title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)' } },
    },
    // Inside a page region, and with items only: otherwise screen readers miss it.
    Menu: {
      defaultProps: {
        withinPortal: false,
        withInitialFocusPlaceholder: false,
        shadow: 'md',
      } satisfies Partial<MenuProps>,
    },
    Notification: {
      defaultProps: {
        closeButtonProps: { 'aria-label': text('action.close') },
      } satisfies Partial<NotificationProps>,
    },
    Popover: { defaultProps: { shadow: 'md' } satisfies Partial<PopoverProps> },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        events: { hover: true, focus: true, touch: false },
      } satisfies Partial<TooltipProps>,
    },
  },
});

/** Mantine's softer colours miss the contrast that WCAG requires; these replace them. */
const OURS = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--ink-soft)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
};

export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: OURS,
  dark: { ...OURS, '--mantine-color-anchor': 'var(--mantine-color-iris-3)' },
});
