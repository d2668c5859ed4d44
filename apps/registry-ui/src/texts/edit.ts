import en from './en/edit.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
