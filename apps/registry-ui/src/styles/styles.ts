// Mantine's styles before ours: a rule of ours wins over one of the same weight.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './fonts.css';
import './base.css';
