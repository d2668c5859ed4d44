import en from './en/overview.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);

export type TextName = Parameters<typeof text>[0];
