import en from './en/usage.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { optionalText, text } = withTexts(en);

export type TextName = Parameters<typeof text>[0];
