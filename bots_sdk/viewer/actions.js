// What keys and buttons do, by the names that `data-do` and the keys have in common.

// Go to the next (or previous) step of a list of starts or marks.
function seek(viewer, starts, way) {
  const places = starts.map(([i]) => i);
  const place = way > 0 ? places.find((i) => i > viewer.i) : places.findLast((i) => i < viewer.i);
  if (place != null) viewer.jump(place);
  else if (way < 0) viewer.jump(0);
  else viewer.notify("There is none after this step.");
}

const toMark = (viewer, kind, way = 1) => seek(viewer, viewer.table.data.marks.filter((mark) => mark[1] === kind), way);

function playOrPause(viewer) {
  if (viewer.playback.playing) return viewer.playback.pause();
  viewer.playback.play();
  viewer.reveal();
}

function toggleHighlights({ playback, find }) {
  playback.onlyHighlights = !playback.onlyHighlights;
  find("[data-do=highlights]").setAttribute("aria-pressed", playback.onlyHighlights);
}

export const ACTIONS = {
  play: playOrPause,
  back: (viewer) => viewer.jump(viewer.i - 1),
  on: (viewer) => viewer.jump(viewer.i + 1),
  start: (viewer) => viewer.jump(0),
  end: (viewer) => viewer.jump(viewer.last),
  roundBack: (viewer) => seek(viewer, viewer.table.data.rounds, -1),
  roundOn: (viewer) => seek(viewer, viewer.table.data.rounds, 1),
  chapterBack: (viewer) => seek(viewer, viewer.table.data.chapters, -1),
  chapterOn: (viewer) => seek(viewer, viewer.table.data.chapters, 1),
  jump: (viewer) => toMark(viewer, viewer.table.data.jump),
  jumpBack: (viewer) => toMark(viewer, viewer.table.data.jump, -1),
  fault: (viewer) => toMark(viewer, "fault"),
  lead: (viewer) => toMark(viewer, "lead"),
  slower: ({ playback }) => playback.changeSpeed(-1),
  faster: ({ playback }) => playback.changeSpeed(1),
  highlights: toggleHighlights,
  theatre: ({ room }) => room.toggleTheatre(),
  full: (viewer) => viewer.room.toggleFull().catch((error) => viewer.notify(error.message)),
  copy: ({ address }) => address.share(),
  log: ({ find }) => find(".kv-log").focus(),
  table: ({ find }) => find(".kv-table").focus(),
  help: ({ find }) => find(".kv-help").showModal(),
  more: ({ find, root }) => find("[data-do=more]").setAttribute("aria-expanded", root.classList.toggle("kv-wideopen")),
};
