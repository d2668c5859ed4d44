import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { text } from '../texts/text.js';
import classes from './screen.module.css';

interface ScreenProps {
  readonly title: string;
  /** One sentence about the purpose of the screen. */
  readonly lead?: ReactNode;
  /** Next to the title: the primary action and secondary ones. */
  readonly actions?: ReactNode;
  /** Above the title, such as a back link. */
  readonly above?: ReactNode;
  /** Fills the window, for a screen whose table scrolls; other screens scroll as a page. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

/**
 * Moves the focus to the screen's title if the focused element is gone, or if a click on a disabled button gave it to the page.
 * Before the next frame is drawn: focusing at once would compute its layout twice.
 */
export function focusTitle(): void {
  requestAnimationFrame(() => {
    if (document.activeElement?.matches('body, main'))
      document.querySelector<HTMLElement>(TITLE)?.focus({ preventScroll: true });
  });
}

const TITLE = 'main h1[tabindex]';

/** The frame of every screen. Its title takes the focus, so that screen readers announce it. */
export function Screen({ title, lead, actions, above, fills = false, children }: ScreenProps) {
  useEffect(() => {
    document.title = text('app.screen', { title });
  }, [title]);
  useEffect(focusTitle, []);
  return (
    <div className={fills ? classes.filling : classes.page}>
      {above}
      <Group justify="space-between" align="flex-start" wrap="wrap" gap="md">
        <Stack gap="xs" className={classes.heading}>
          <Title order={1} tabIndex={-1} title={title} className={`foreign ${classes.title}`}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" className={classes.lead} component="div">
              {lead}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}
