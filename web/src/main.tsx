import './styles/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './api/connection.ts';
import { App } from './app.tsx';
import { basePath, withoutBase } from './navigation/base-path.ts';

const { pathname, search, hash } = window.location;
// Requests that bypass the proxy (on the machine itself) get the same page, whose addresses are below its path.
if (withoutBase(pathname, basePath) === null) window.location.replace(`${basePath}${pathname}${search}${hash}`);
watchConnection();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
