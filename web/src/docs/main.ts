/** What a page of the docs does beyond being read: theme, menu on a phone, copying, the search, the place on the page. */
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
