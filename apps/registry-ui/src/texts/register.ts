import en from './en/register.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
