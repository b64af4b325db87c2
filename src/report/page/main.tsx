import { render } from 'preact';
import type { ReportData } from '../data.ts';
import { App } from './app.tsx';
import './style.css';

const app = document.querySelector('#app');
const block = document.querySelector('#report');
if (app && block) render(<App data={JSON.parse(block.textContent) as ReportData} />, app);
