import { Graph, layout } from '@dagrejs/dagre';
import { Maximize2, Minus, Plus } from 'lucide-preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PlanStep as Step } from '../../wire/routes.ts';
import { standingOf } from '../data/plan.ts';
import { Button } from '../ui/button.tsx';
import { StatusDot, type Tone } from '../ui/status-dot.tsx';

// The steps of a plan and their dependencies, drawn from the top down. The list of steps next to it says the
// same in words.

/** A step's box, in pixels at full size. */
const BOXES = { narrow: { width: 124, height: 82 }, wide: { width: 164, height: 82 } };
type Box = (typeof BOXES)['wide'];
/** With less room than this, in pixels, boxes are narrow: three of them lie side by side on the cover screen. */
const ROOM_FOR_WIDE = 400;
/** Below this size the words in the boxes cannot be read, so the graph is scrolled instead. */
const SMALLEST = 0.68;
const ZOOM = 1.25;

const EDGE: Record<Tone, string> = {
  ok: 'border-ok',
  warn: 'border-warn',
  bad: 'border-bad',
  accent: 'border-accent',
  quiet: 'border-line',
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
  // The text of a step does not move its box, so the layout stays the same as long as the arrows do.
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
        <div class="mx-auto" style={{ width: drawn.width * scale, height: drawn.height * scale }}>
          <div
            class="relative origin-top-left"
            style={{ width: drawn.width, height: drawn.height, transform: `scale(${scale})` }}
          >
            <svg width={drawn.width} height={drawn.height} class="absolute inset-0" aria-hidden="true">
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
            </svg>
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
          </div>
        </div>
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
  const who = step.status === 'in_progress' ? step.assignedTo : null;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      style={{ left: at.x, top: at.y, width: box.width, height: box.height }}
      class={`absolute flex flex-col gap-0.5 overflow-hidden rounded-md bg-card px-2 py-1.5 text-left text-xs ${chosen ? 'border-2 border-text' : `border ${EDGE[tone]}`} ${step.proposed ? 'border-dashed' : ''}`}
      onClick={onChoose}
    >
      <span class="flex w-full items-center gap-1.5 text-muted">
        <StatusDot tone={tone} busy={busy} />
        <span class="truncate">
          <span class="sr-only">Step </span>
          {`${step.number} · `}
          {who === null ? word : <span class="sr-only">{word} · </span>}
          {who}
        </span>
      </span>
      <span class="line-clamp-3">{step.description}</span>
    </button>
  );
}
