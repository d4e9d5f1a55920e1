"""The figures of a report: Vega-Lite specifications over its views. Nothing is computed here but what is drawn.

A figure is drawn once for each machine and, where it has `each`, once for each value of that column: the page
lays these out side by side, as many as fit.
"""
SYSTEMS = ["gnnc", "libtorch-csr", "libtorch-eager", "pyg-compile", "pyg-eager", "dgl"]
COLOURS = ["#0072B2", "#E69F00", "#8a8a8a", "#CC79A7", "#009E73", "#56B4E9"]


def colour(field):
    return {"field": field, "type": "nominal", "scale": {"domain": SYSTEMS, "range": COLOURS},
            "legend": {"title": None, "orient": "top", "columns": 3}}


def log(field, title, integral=False, **more):
    return {"field": field, "type": "quantitative", "title": title, "scale": {"type": "log", "nice": False, "padding": 12},
            "axis": {"tickCount": 5, "format": "~s" if integral else "~g", "labelOverlap": True}, **more}


def name(field, **more):
    return {"field": field, "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 150}, **more}


def tip(*fields):
    return [{"field": field, "title": field.replace("_", " ")} for field in fields]


FIGURES = [
    {"name": "speed-ups", "view": "speed-ups", "each": "model", "title": "How many times faster gnnc is",
     "says": "Bars from 1 on a log axis; whiskers from the quartiles of both. A peer without a figure has its status.",
     "spec": {
         "height": {"step": 13},
         "encoding": {"y": name("shape"), "yOffset": {"field": "peer", "sort": SYSTEMS}},
         "layer": [
             {"transform": [{"filter": "isValid(datum.speed_up)"}], "mark": {"type": "bar"},
              "encoding": {"x": log("speed_up", "times faster"), "x2": {"datum": 1}, "color": colour("peer"),
                           "tooltip": tip("case", "peer", "peer_variant", "peer_ms", "gnnc_variant", "gnnc_ms", "speed_up")}},
             {"transform": [{"filter": "isValid(datum.speed_up_low)"}], "mark": {"type": "rule", "strokeWidth": 1.5},
              "encoding": {"x": log("speed_up_low", "times faster"), "x2": {"field": "speed_up_high"}}},
             {"transform": [{"filter": "!isValid(datum.speed_up)"}],
              "mark": {"type": "text", "align": "left", "dx": 4, "fontWeight": "bold", "color": "#c62828"},
              "encoding": {"x": {"datum": 1}, "text": {"field": "peer_status"}}}]}},
    {"name": "latency", "view": "latency-by-size", "each": "model", "title": "Latency against the size of the graph",
     "says": "The fastest variant of each system; bars are quartiles. Both axes are logarithmic.",
     "spec": {
         "height": 240, "encoding": {"x": log("edges", "edges", True), "color": colour("system")},
         "layer": [
             {"mark": {"type": "line", "point": {"size": 45, "filled": True}},
              "encoding": {"y": log("median_ms", "median, ms"),
                           "tooltip": tip("system", "shape", "variant", "edges", "median_ms", "q1_ms", "q3_ms")}},
             {"mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.5},
              "encoding": {"y": log("q1_ms", "median, ms"), "y2": {"field": "q3_ms"}}}]}},
    {"name": "memory", "view": "memory", "each": "model", "title": "Peak memory",
     "says": "What the allocator of each system held at most.",
     "spec": {
         "height": {"step": 26}, "transform": [{"filter": "isValid(datum.peak_mib)"}],
         "mark": {"type": "point", "filled": True, "size": 80, "opacity": 0.9},
         "encoding": {"y": name("shape"), "x": log("peak_mib", "MiB"), "color": colour("system"),
                      "tooltip": tip("system", "variant", "shape", "peak_mib", "memory_percent")}}},
    {"name": "break-even", "view": "break-even-curves", "each": "model", "title": "When compiling pays",
     "says": "Time spent after so many runs, compiling included, over that of eager gather and scatter: below 1 it has paid.",
     "spec": {
         "height": 240,
         "layer": [
             {"mark": {"type": "rule", "strokeDash": [4, 4], "color": "#888"}, "encoding": {"y": {"datum": 1}}},
             {"mark": {"type": "line"},
              "encoding": {"x": log("runs", "runs", True), "y": log("time_ratio", "time over gather/scatter's"),
                           "color": colour("system"), "detail": {"field": "shape"},
                           "tooltip": tip("system", "shape", "runs", "time_ratio", "total_time_ms")}}]}},
    {"name": "roofline", "view": "roofline", "title": "Roofline",
     "says": "Each cell's operations a second at its operations a byte; lines are the chip's measured limits, where known.",
     "spec": {
         "height": 340,
         "layer": [
             {"data": {"name": "roofline-limits"}, "mark": {"type": "line", "strokeDash": [5, 3], "color": "#888"},
              "encoding": {"x": log("intensity", "FLOP a byte"), "y": log("gflop_per_s", "GFLOP/s", True),
                           "detail": {"field": "limit"}, "tooltip": tip("limit", "intensity", "gflop_per_s")}},
             {"mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.8},
              "encoding": {"x": log("intensity", "FLOP a byte"), "y": log("gflop_per_s", "GFLOP/s", True),
                           "color": colour("system"), "tooltip": tip("system", "model", "shape", "variant", "gflop_per_s",
                                                                     "gb_per_s", "limit_percent")}}]}},
    {"name": "stream", "view": "stream", "each": "model", "title": "A stream of graphs of many sizes",
     "says": "All graphs one after the other, compiling included. A stopped one has its status.",
     "spec": {
         "height": {"step": 26},
         "transform": [{"calculate": "isValid(datum.total_ms) ? datum.total_ms : datum.spent_ms", "as": "time"},
                       {"calculate": "datum.system + ', ' + (datum.dynamic || 'eager')", "as": "who"}],
         "encoding": {"y": name("who"), "x": {"field": "time", "type": "quantitative", "title": "ms"}},
         "layer": [
             {"mark": "bar", "encoding": {"color": colour("system"), "tooltip": tip(
                 "system", "variant", "graphs", "total_ms", "spent_ms", "second_pass_ms", "compilations", "recompilations")}},
             {"transform": [{"filter": "datum.status != 'ok'"}],
              "mark": {"type": "text", "align": "right", "dx": -4, "fontWeight": "bold", "color": "#c62828"},
              "encoding": {"text": {"field": "status"}}}]}},
    {"name": "heat-map", "view": "heat-map", "title": "The whole matrix",
     "says": "Times as fast as eager gather and scatter; milliseconds where that failed. Red words are cells without a figure, blanks were not run.",
     "spec": {
         "height": {"step": 20},
         "transform": [{"calculate": "datum.status != 'ok' ? datum.status : isValid(datum.relative) ? "
                        "format(datum.relative, '.3~g') : format(datum.median_ms, '.3~g') + ' ms'", "as": "label"}],
         "encoding": {"y": name("case", axis={"labelLimit": 190}),
                      "x": name("cell", axis={"labelAngle": -40, "labelLimit": 170, "orient": "top"})},
         "layer": [
             {"mark": {"type": "rect"},
              "encoding": {"color": {"field": "relative", "type": "quantitative", "title": "times as fast",
                                     "scale": {"type": "log", "scheme": "blues"}, "legend": {"orient": "bottom"}},
                           "tooltip": tip("case", "cell", "status", "median_ms", "relative", "error")}},
             {"mark": {"type": "text", "fontSize": 10},
              "encoding": {"text": {"field": "label"},
                           "color": {"condition": [{"test": "datum.status != 'ok'", "value": "#c62828"},
                                                   {"test": "datum.relative > 8", "value": "white"}], "value": "black"}}}]}},
    {"name": "spmm", "view": "spmm", "each": "product", "title": "Sums over edges beside the sparse library",
     "says": "gnnc's kernel against the fastest algorithm of the library, by the number of features.",
     "spec": {
         "height": 240,
         "layer": [
             {"mark": {"type": "rule", "strokeDash": [4, 4], "color": "#888"}, "encoding": {"y": {"datum": 1}}},
             {"mark": {"type": "line", "point": True},
              "encoding": {"x": log("width", "features"),
                           "y": {"field": "speed_up", "type": "quantitative", "title": "times faster", "scale": {"zero": False}},
                           "color": {"field": "data", "type": "nominal", "legend": {"title": None, "orient": "top", "columns": 2}},
                           "tooltip": tip("data", "width", "algorithm", "gnnc_ms", "peer_ms", "speed_up")}}]}},
]
