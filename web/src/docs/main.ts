/** The script of every docs page: theme, mobile menu, copy buttons, search, current section. */
import '../styles/theme.css';
import './docs.css';
import { readyContents } from './contents.ts';
import { readyCopying } from './copying.ts';
import { readyMenu } from './menu.ts';
import { readySearch } from './open-search.ts';
import { readyTheme } from './theme-button.ts';

readyTheme();
readyMenu();
readyCopying();
readySearch();
readyContents();
