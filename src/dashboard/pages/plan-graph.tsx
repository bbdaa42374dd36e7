import { Graph, layout } from '@dagrejs/dagre';
import { Maximize2, Minus, Plus } from 'lucide-preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Step, standingOf } from '../data/plan.ts';
import { Button } from '../ui/button.tsx';
import type { Tone } from '../ui/status-dot.tsx';

// The steps of a plan and what waits for what, drawn from the top down. The list of steps beside it says the same in words.

/** A step's box: its size in pixels at full size, and the characters that fit a line. */
const BOXES = { narrow: { width: 124, height: 78, line: 15 }, wide: { width: 164, height: 78, line: 21 } };
type Box = (typeof BOXES)['wide'];
/** Lines of a step's words in a box. */
const LINES = 3;
/** With less room than this, in pixels, boxes are narrow: three of them lie side by side on the cover screen. */
const ROOM_FOR_WIDE = 400;
/** Below this size the words in the boxes cannot be read, so the graph is scrolled instead. */
const SMALLEST = 0.68;
const ZOOM = 1.25;

const FILL: Record<Tone, string> = {
  ok: 'fill-ok',
  warn: 'fill-warn',
  bad: 'fill-bad',
  accent: 'fill-accent',
  quiet: 'fill-muted',
};
const EDGE: Record<Tone, string> = {
  ok: 'stroke-ok',
  warn: 'stroke-warn',
  bad: 'stroke-bad',
  accent: 'stroke-accent',
  quiet: 'stroke-line',
};

type Point = { x: number; y: number };

/** Draws the steps as a graph. Pressing one chooses it. */
export function PlanGraph({
  steps,
  chosen,
  onChoose,
}: {
  steps: Step[];
  chosen: number | null;
  onChoose: (step: number) => void;
}) {
  // What a step says does not move its box, so the layout stays as long as the arrows do.
  const shape = JSON.stringify(steps.map(({ number, dependencies }) => [number, dependencies]));
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(innerWidth);
  const box = room < ROOM_FOR_WIDE ? BOXES.narrow : BOXES.wide;
  const drawn = useMemo(() => place(JSON.parse(shape), box), [shape, box]);
  const [zoom, setZoom] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const fit = Math.min(1, room / drawn.width);
  const scale = zoom ?? Math.max(fit, SMALLEST);
  return (
    <div>
      <section ref={frame} class="max-h-[70dvh] overflow-auto" aria-label="Graph of the steps">
        <svg
          width={drawn.width * scale}
          height={drawn.height * scale}
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
          class="mx-auto block"
          role="presentation"
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8z" class="fill-muted" />
            </marker>
          </defs>
          {drawn.edges.map(({ from, to, points }) => (
            <path
              key={`${from} ${to}`}
              d={curve(points)}
              class="fill-none stroke-muted"
              stroke-width="1.25"
              marker-end="url(#arrow)"
            />
          ))}
          {steps.map((step) => {
            const at = drawn.boxes.get(step.number);
            return (
              at && (
                <StepBox
                  key={step.number}
                  step={step}
                  steps={steps}
                  at={at}
                  box={box}
                  chosen={chosen === step.number}
                  onChoose={() => onChoose(step.number)}
                />
              )
            );
          })}
        </svg>
      </section>
      <div class="flex justify-end gap-2 pt-3">
        <Button aria-label="Smaller" onClick={() => setZoom(Math.max(0.2, scale / ZOOM))}>
          <Minus size={16} aria-hidden="true" />
        </Button>
        <Button aria-label="Larger" onClick={() => setZoom(Math.min(2, scale * ZOOM))}>
          <Plus size={16} aria-hidden="true" />
        </Button>
        <Button aria-label="Fit the width" onClick={() => setZoom(fit)}>
          <Maximize2 size={16} aria-hidden="true" />
        </Button>
      </div>
    </div>
  );
}

/** Returns where the boxes and arrows lie. */
function place(steps: [number, number[]][], { width: boxWidth, height: boxHeight }: Box) {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 12, ranksep: 30, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(steps.map(([number]) => number));
  for (const [number] of steps) graph.setNode(String(number), { width: boxWidth, height: boxHeight });
  for (const [number, dependencies] of steps) {
    for (const before of dependencies) if (known.has(before)) graph.setEdge(String(before), String(number));
  }
  layout(graph);
  const { width = boxWidth, height = boxHeight } = graph.graph() as { width?: number; height?: number };
  const boxes = new Map<number, Point>(
    graph.nodes().map((name) => {
      const { x = 0, y = 0 } = graph.node(name) as Partial<Point>;
      return [Number(name), { x: x - boxWidth / 2, y: y - boxHeight / 2 }];
    }),
  );
  const edges = graph.edges().map((edge) => {
    const { points = [] } = graph.edge(edge) as { points?: Point[] };
    return { from: edge.v, to: edge.w, points };
  });
  return { width, height, boxes, edges };
}

/** Returns a path through points, bent at the middle between them. */
function curve(points: Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const bends = rest.slice(0, -1).map((point, n) => {
    const next = rest[n + 1] as Point;
    const end = n === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${bends.length > 0 ? bends.join('') : `L${last.x} ${last.y}`}`;
}

function StepBox({
  step,
  steps,
  at,
  box,
  chosen,
  onChoose,
}: {
  step: Step;
  steps: Step[];
  at: Point;
  box: Box;
  chosen: boolean;
  onChoose: () => void;
}) {
  const { tone, word, busy } = standingOf(step, steps);
  const who = step.status === 'in_progress' && step.assignedTo ? ` · ${step.assignedTo}` : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be part of a drawing
    <g
      role="button"
      // in a drawing, the names of attributes are told apart by their case
      tabindex={0}
      aria-label={`Step ${step.number}: ${step.description}. ${word}`}
      aria-pressed={chosen}
      transform={`translate(${at.x} ${at.y})`}
      class="cursor-pointer outline-none [&:focus-visible_rect]:stroke-accent [&:focus-visible_rect]:[stroke-width:3]"
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onChoose();
      }}
    >
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group in a drawing takes no focus */}
      <g aria-hidden="true">
        <rect
          width={box.width}
          height={box.height}
          rx="10"
          class={`fill-card ${chosen ? 'stroke-text' : EDGE[tone]}`}
          stroke-width={chosen ? 2.5 : 1.5}
          stroke-dasharray={step.proposed ? '5 4' : undefined}
        />
        <circle cx="15" cy="16" r="4.5" class={`${FILL[tone]} ${busy ? 'pulse-slow' : ''}`} />
        <text x="26" y="20" class="fill-muted text-xs">
          {cut(`${step.number} · ${word}${who}`, box.line - 2)}
        </text>
        {linesOf(step.description, box.line).map((line, n) => (
          <text key={`${n} ${line}`} x="10" y={37 + n * 15} class="fill-text text-xs">
            {line}
          </text>
        ))}
      </g>
    </g>
  );
}

/** Returns as much of a text as fits into a box, line by line. */
function linesOf(text: string, characters: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > characters) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  const shown = lines.slice(0, LINES).map((line) => cut(line, characters));
  const last = shown.at(-1) ?? '';
  if (lines.length > LINES && !last.endsWith('…')) {
    shown[shown.length - 1] = `${last.slice(0, characters - 1).trimEnd()}…`;
  }
  return shown;
}

const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
