import en from './en/explain.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
