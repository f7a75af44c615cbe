// SPDX-License-Identifier: GPL-2.0
/* Writes the frame of an SVG picture, its colours and its texts. */
#include <kermon/text.h>
#include <stdlib.h>

#include "svg.h"

/*
 * Plain rules, without variables, which some programs do not know. Colours can be told
 * apart by colour-blind readers.
 */
static const char style[] =
	"text{font:12px sans-serif;fill:#222}\n"
	".title{font-weight:bold;font-size:13px}\n"
	".note{font-size:11px;fill:#555}\n"
	".name{font-size:11px;fill:#333;stroke:#fff;stroke-width:3;paint-order:stroke}\n"
	".paper{fill:#fff}\n"
	".axis{fill:none;stroke:#222}\n"
	".grid{stroke:#ddd}\n"
	"path{fill:none;stroke-width:1.2;stroke-linejoin:round}\n"
	".dashed{stroke-dasharray:5 3}.dotted{stroke-dasharray:1.5 2.5}\n"
	".c0{stroke:#0072b2}.area.c0{fill:#0072b2}\n"
	".c1{stroke:#d55e00}.area.c1{fill:#d55e00}\n"
	".c2{stroke:#009e73}.area.c2{fill:#009e73}\n"
	".c3{stroke:#8a5a8a}.area.c3{fill:#8a5a8a}\n"
	".c4{stroke:#a66a00}.area.c4{fill:#a66a00}\n"
	".c5{stroke:#5a8f00}.area.c5{fill:#5a8f00}\n"
	".c6{stroke:#c0387a}.area.c6{fill:#c0387a}\n"
	".c7{stroke:#606060}.area.c7{fill:#606060}\n"
	".t0{stroke:#440154}.t1{stroke:#46327e}.t2{stroke:#365c8d}.t3{stroke:#277f8e}\n"
	".t4{stroke:#1fa187}.t5{stroke:#4ac16d}.t6{stroke:#9fb91f}.t7{stroke:#d9a400}\n"
	".dots{stroke-linecap:round;opacity:.65}\n"
	".mark{stroke-width:2;fill:#fff;fill-opacity:.6}\n"
	".roof{stroke:#222;stroke-width:1.4}\n"
	".m1{stroke:#0072b2;stroke-width:2.2;stroke-opacity:.75}\n"
	".m2{stroke:#b3007a;stroke-width:.8}\n"
	".m3{stroke:#8a8a00;stroke-width:3;stroke-opacity:.5}\n"
	".bars{stroke-linecap:butt}\n"
	"@media (prefers-color-scheme:dark){\n"
	"text{fill:#eee}\n"
	".note{fill:#bbb}\n"
	".name{fill:#ccc;stroke:#1b1b1b}\n"
	".paper{fill:#1b1b1b}\n"
	".axis{stroke:#eee}\n"
	".grid{stroke:#3a3a3a}\n"
	".c0{stroke:#56b4e9}.area.c0{fill:#56b4e9}\n"
	".c1{stroke:#f0a030}.area.c1{fill:#f0a030}\n"
	".c2{stroke:#2fd09b}.area.c2{fill:#2fd09b}\n"
	".c3{stroke:#d5a0d5}.area.c3{fill:#d5a0d5}\n"
	".c4{stroke:#e0b060}.area.c4{fill:#e0b060}\n"
	".c5{stroke:#a5d050}.area.c5{fill:#a5d050}\n"
	".c6{stroke:#f080b0}.area.c6{fill:#f080b0}\n"
	".c7{stroke:#a8a8a8}.area.c7{fill:#a8a8a8}\n"
	".t0{stroke:#8a5ab0}.t1{stroke:#7f78c8}.t2{stroke:#6a98d0}.t3{stroke:#50b0c0}\n"
	".mark{fill:#1b1b1b}\n"
	".roof{stroke:#ddd}.m1{stroke:#56b4e9}.m2{stroke:#f080c0}.m3{stroke:#d0d050}\n"
	"}\n";

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '&': fputs("&amp;", out); break;
		case '"': fputs("&quot;", out); break;
		default: fputc(*text, out);
		}
}

void svg_escaped(FILE *out, const char *text)
{
	char *plain;

	if (kermon_text_is_plain(text)) {
		put_escaped(out, text);
		return;
	}
	plain = kermon_text_escaped(text);
	put_escaped(out, plain ? plain : "?");
	free(plain);
}

void svg_begin(FILE *out, double width, double height, const char *title)
{
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		"width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n"
		"<title>", width, height, width, height);
	svg_escaped(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n"
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
		style);
}

void svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void svg_text(FILE *out, const struct svg_text *how, const char *text)
{
	static const char *const anchors[] = {
		[SVG_START] = "start", [SVG_MIDDLE] = "middle", [SVG_END] = "end",
	};

	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"",
		how->x, how->y, anchors[how->anchor]);
	if (how->upwards || how->angle != 0)
		fprintf(out, " transform=\"rotate(%.3g %.1f %.1f)\"",
			how->upwards ? -90 : -how->angle, how->x, how->y);
	if (how->class)
		fprintf(out, " class=\"%s\"", how->class);
	fputc('>', out);
	svg_escaped(out, text);
	fputs("</text>\n", out);
}
